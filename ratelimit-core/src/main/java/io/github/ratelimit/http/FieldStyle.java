package io.github.ratelimit.http;

/** Which header fields tell a client where it stands. {@code Retry-After} is none of them: every rejection has it. */
public enum FieldStyle {

    /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}: of the most restrictive limit. */
    X_RATELIMIT,

    /**
     * {@code RateLimit-Policy} and {@code RateLimit}: of every limit, as in draft-ietf-httpapi-ratelimit-headers-11. A later RFC with other
     * names gets a style of its own.
     */
    IETF,

    /** All of them. */
    BOTH,

    /** None of them. */
    NONE;

    boolean hasXRateLimit() {
        return this == X_RATELIMIT || this == BOTH;
    }

    boolean hasIetf() {
        return this == IETF || this == BOTH;
    }
}

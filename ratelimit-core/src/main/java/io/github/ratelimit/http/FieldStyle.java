package io.github.ratelimit.http;

/** Which header fields tell a client where it stands. */
public enum FieldStyle {

    /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}: of the most restrictive limit. */
    LEGACY,

    /** {@code RateLimit-Policy} and {@code RateLimit}: of every limit. Rule: draft-ietf-httpapi-ratelimit-headers, from its revision 8. */
    DRAFT,

    /** All of them. */
    BOTH;

    boolean hasLegacy() {
        return this != DRAFT;
    }

    boolean hasDraft() {
        return this != LEGACY;
    }
}

package io.github.ratelimit;

/** When a limiter decides about a request. A request that meets limiters of both phases gets one decision in each. */
public enum Phase {

    /** Before authentication, so that requests without valid credentials are counted, too. */
    BEFORE_AUTHENTICATION,

    /** After authentication: for keys and conditions that need the user. */
    AFTER_AUTHENTICATION;

    static Phase later(Phase one, Phase other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}

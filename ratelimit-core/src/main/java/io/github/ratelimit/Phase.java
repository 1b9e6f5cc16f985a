package io.github.ratelimit;

/** When a limiter decides about a request: a request that meets limiters of both phases gets one decision in each. */
public enum Phase {

    /** Before it is known who is calling, so that requests without valid credentials are counted too. */
    BEFORE_AUTHENTICATION,

    /** Once it is known who is calling: the phase of limiters that count by what the application found out. */
    AFTER_AUTHENTICATION
}

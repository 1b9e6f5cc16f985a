package io.github.ratelimit;

/** What a limiter does when its store does not answer. */
public enum OnStoreFailure {

    /** An in-process store stands in: each node grants the limit by itself until the store is back. */
    LOCAL,

    /** Everything is allowed, uncounted. */
    ALLOW,

    /** Everything is refused; over HTTP with 503, as it is no fault of the client's. */
    REFUSE
}

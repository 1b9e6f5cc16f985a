package io.github.ratelimit;

/**
 * What a limiter does when its store does not answer.
 *
 * <p>Where several limiters decide together: one that says {@link #REFUSE} is enough to refuse, those that say {@link #ALLOW} take no part, and
 * the stand-in decides for the others as one.
 */
public enum OnStoreFailure {

    /** An in-process store stands in: each node grants the limit by itself until the store is back. */
    LOCAL,

    /** Everything is allowed, uncounted. */
    ALLOW,

    /** Everything is refused; over HTTP with 503, as it is no fault of the client's. */
    REFUSE
}

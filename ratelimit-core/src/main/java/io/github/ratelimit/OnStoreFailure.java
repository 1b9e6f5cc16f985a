package io.github.ratelimit;

/**
 * The policy of a limiter if its store does not answer.
 *
 * <p>If several limiters decide together, one {@link #REJECT} rejects, {@link #ALLOW} takes no part, and the fallback decides once for all
 * {@link #LOCAL} limiters.
 */
public enum OnStoreFailure {

    /** Falls back to an in-process store: each node grants the limit alone until the store is back. */
    LOCAL,

    /** Allows all requests without counting them. */
    ALLOW,

    /** Rejects all requests; over HTTP with 503, because the client made no mistake. */
    REJECT
}

package io.github.ratelimit.content.cms.rest;

/**
 * Who may use an endpoint that is about no single thing; the others find their thing for callers who may. Asked before the
 * handler, and again to tell which methods the caller might use.
 */
@FunctionalInterface
public interface Permission {
    /** Lets everybody. */
    Permission ANYONE = request -> {};

    /**
     * Returns if the caller may, and throws if not. Must be cheap to ask twice and must not change anything.
     *
     * @param request with its arguments; those that could not be read are missing
     * @throws RestError why not
     */
    void check(RestRequest request);
}

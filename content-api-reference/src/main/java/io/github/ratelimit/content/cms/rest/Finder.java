package io.github.ratelimit.content.cms.rest;

/**
 * Finds what a request is about, for callers who may use it: permission and look-up in one. Asked before the handler, which
 * gets what was found, and again to tell which methods the caller might use.
 *
 * @param <T> what the request is about
 */
@FunctionalInterface
public interface Finder<T> {
    /**
     * Finds the thing, and throws if it is not there or the caller may not use it.
     *
     * <p>Must be cheap to ask twice and must not change anything: what it looks up it keeps by a {@link Lookup}.
     *
     * @param request with its arguments; those that could not be read are missing
     * @return what the handler works on
     * @throws RestError why not; 404 where the thing does not exist
     */
    T find(RestRequest request);
}

package io.github.ratelimit.content.web;

/** Who may use an endpoint. Asked before the handler, and again to tell which methods the caller might use. */
@FunctionalInterface
public interface Permission {
    /** Lets everybody. */
    Permission ANYONE = request -> {};

    /**
     * Returns if the caller may, and throws if not.
     *
     * <p>Must be cheap to ask twice and must not change anything: what it looks up it keeps with
     * {@link RestRequest#remember}.
     *
     * @param request with its arguments read; those that could not be read are missing
     * @throws RestError why not; 404 where the thing that is asked for does not exist
     */
    void check(RestRequest request);
}

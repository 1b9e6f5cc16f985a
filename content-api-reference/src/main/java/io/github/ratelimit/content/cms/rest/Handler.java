package io.github.ratelimit.content.cms.rest;

/** Does what an endpoint is for. */
@FunctionalInterface
public interface Handler {
    /**
     * Serves a request whose arguments were read and whose caller may.
     *
     * @param request what is asked for
     * @return the answer
     * @throws RestError if it cannot be served after all
     */
    RestAnswer handle(RestRequest request);
}

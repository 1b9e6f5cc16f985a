package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A step of the way to a route, for requests over HTTP: it lets a request go on, or answers in place of what is behind it.
 *
 * <p>Beans of this type are taken in their order: limits, then the cache. The last step is the {@link Dispatcher}, with
 * permission and handler.
 */
@FunctionalInterface
public interface RestStep {
    /**
     * A request on its way.
     *
     * @param prepared knows its route, if there is one, and its arguments
     * @param http the same request as it came, for addresses and attributes
     * @param response takes headers that are to be on the answer whatever it is
     */
    record Passing(Dispatcher.Prepared prepared, HttpServletRequest http, HttpServletResponse response) {}

    /** What is behind a step. */
    @FunctionalInterface
    interface Next {
        /**
         * Goes on. To be called once or not at all.
         *
         * @return the answer in its last form
         */
        RestAnswer answer();
    }

    /**
     * Answers a request, or lets the next step do so.
     *
     * @param passing the request
     * @param next what is behind this step
     * @return the answer in its last form
     */
    RestAnswer answer(Passing passing, Next next);
}

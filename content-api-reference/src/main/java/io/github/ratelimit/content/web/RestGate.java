package io.github.ratelimit.content.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;

/** Stands before the routes and may turn a request away: a rate limiter, for example. */
@FunctionalInterface
public interface RestGate {
    /**
     * Lets a request in, or answers in place of its route.
     *
     * @param request knows its route, if there is one, and its arguments; a batch knows what it holds
     * @param http the same request as it came, for addresses and attributes
     * @param response takes headers that are to be on the answer whatever it is
     * @return empty to let the request in
     */
    Optional<RestAnswer> check(Dispatcher.Prepared request, HttpServletRequest http, HttpServletResponse response);
}

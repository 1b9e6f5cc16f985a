package io.github.ratelimit.content.cms.rest;

import java.util.List;

/** A feature that has routes. Every bean of this type is asked once, when the server starts. */
@FunctionalInterface
public interface RouteSource {
    /**
     * Declares the feature's routes.
     *
     * @return in the order in which the index lists them
     */
    List<Route> routes();
}

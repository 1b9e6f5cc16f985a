package io.github.ratelimit.content.cms.rest;

import java.util.Arrays;
import java.util.Optional;

/** What a request does to a route. HEAD is a {@link #GET} whose body is left out; OPTIONS asks about the route itself. */
public enum RestMethod {
    /** Reads. */
    GET,
    /** Creates, or changes. */
    POST,
    /** Changes what is sent. */
    PUT,
    /** Changes what is sent. */
    PATCH,
    /** Deletes. */
    DELETE;

    /**
     * Finds a method by its name on the wire.
     *
     * @param name upper case
     * @return empty for any other method, HEAD and OPTIONS included
     */
    public static Optional<RestMethod> of(String name) {
        return Arrays.stream(values())
                .filter(method -> method.name().equals(name))
                .findFirst();
    }
}

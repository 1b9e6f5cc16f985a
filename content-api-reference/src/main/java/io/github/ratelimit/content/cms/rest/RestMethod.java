package io.github.ratelimit.content.cms.rest;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    private static final Map<String, RestMethod> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /**
     * Finds a method by its name on the wire.
     *
     * @param name upper case
     * @return empty for any other method, HEAD and OPTIONS included
     */
    public static Optional<RestMethod> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /**
     * Says whether requests of this method may carry arguments as form fields.
     *
     * @return whether a form body is read
     */
    public boolean readsForm() {
        return this != GET;
    }
}

package io.github.ratelimit.http;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request: the parts that keys can use, and its decisions. Each adapter implements this for its server.
 *
 * <p>Used by one thread at a time.
 */
public interface HttpCall {

    /** The method as it was sent, for example {@code POST}. */
    String method();

    /** The decoded path below the application's root, as the server dispatches on it. */
    String path();

    /**
     * The values of a header field, one for each line, in the order of arrival.
     *
     * @param name in any case
     * @return empty if there is no such line
     */
    List<String> headers(String name);

    /** The peer, the target and the forwarding fields, before any filter rewrote them. */
    Origin origin();

    /** The authenticated user; empty before authentication or without one. */
    default Optional<Principal> principal() {
        return Optional.empty();
    }

    /**
     * Whether the authenticated user has a role. False before authentication, without a user, or if the adapter knows no roles.
     *
     * @param role for example {@code ADMIN}
     */
    default boolean hasRole(String role) {
        return false;
    }

    /** A text that the application attached to the request, for example the id of a verified token. */
    default Optional<String> attribute(String name) {
        return Optional.empty();
    }

    /**
     * The server's own request, for custom keys; this call where there is none.
     *
     * @param type the expected type, for example {@code jakarta.servlet.http.HttpServletRequest}
     * @return empty if it is something else
     */
    default <T> Optional<T> request(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** The request's decisions so far: one object for each request, also after forwards and other dispatches. The adapter {@link HttpDecisions#ended ends} it. */
    HttpDecisions decisions();

    /** Whether it is a CORS preflight request, which browsers send on their own. Rule: Fetch standard, "CORS-preflight request". */
    default boolean isPreflight() {
        return method().equals("OPTIONS")
                && !headers("Origin").isEmpty()
                && !headers("Access-Control-Request-Method").isEmpty();
    }

    /**
     * A call of a server without an adapter. It has no principal, no attributes and no server's request.
     *
     * @param method the method, for example {@code POST}
     * @param target the path of the request line, undecoded, with or without the query
     * @param peer the numeric address of the socket's peer; empty if it has none
     * @param headers finds the lines of a header field by its name, in any case; empty if there is none
     * @throws IllegalArgumentException if the path is malformed
     */
    static HttpCall of(String method, String target, String peer, Function<String, List<String>> headers) {
        return new PlainCall(method, target, peer, headers);
    }
}

package io.github.ratelimit.http;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * All that a key may be made of, and where a request's decisions are kept. What an adapter writes for its server.
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

    /** Where it comes from, as it stood before anything rewrote it. */
    Origin origin();

    /** Who is signed in, as the application says; empty if nobody is, or if that is not known yet. */
    Optional<Principal> principal();

    /**
     * Whether who is signed in has a role, as the application says; false if nobody is signed in, if that is not known yet, or if the adapter
     * knows no roles.
     *
     * @param role for example {@code ADMIN}
     */
    default boolean hasRole(String role) {
        return false;
    }

    /** A text that the application found out about the request and attached to it, for example a verified token's id. */
    Optional<String> attribute(String name);

    /**
     * The server's own request, for keys of an application's own.
     *
     * @param type what it is expected to be, for example {@code jakarta.servlet.http.HttpServletRequest}
     * @return empty if it is something else
     */
    <T> Optional<T> request(Class<T> type);

    /** The request's decisions so far: the same object for as long as the request lives, whatever it is dispatched to. */
    HttpDecisions decisions();
}

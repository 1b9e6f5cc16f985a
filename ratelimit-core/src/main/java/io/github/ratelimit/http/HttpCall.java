package io.github.ratelimit.http;

import java.util.List;
import java.util.Optional;

/**
 * All that a key may be made of, and where a request's decisions are kept. What a door writes for its server.
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

    /** The address of the socket's peer; empty if it has none. Never one that a header field names. */
    String remoteAddress();

    /** The name of who is signed in. */
    Optional<String> user();

    /** A text that the application found out about the request and attached to it, for example a verified token's id. */
    Optional<String> attribute(String name);

    /** The request's decisions so far: the same object for as long as the request lives, whatever it is dispatched to. */
    HttpDecisions decisions();
}

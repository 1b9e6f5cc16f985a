package io.github.ratelimit.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the address of the socket's peer, whatever stands between the socket and the caller and rewrites addresses.
 *
 * <p>{@code getRemoteAddr()} is not it where a valve or a filter has put a forwarding header field's word there: then whoever sends the
 * field is whom he likes. Safe for concurrent use.
 */
@FunctionalInterface
public interface PeerAddress {

    /**
     * The peer's address.
     *
     * @param request as it came, wrapped or not
     * @return numeric; empty if the socket has no address
     */
    String of(HttpServletRequest request);

    /**
     * What {@link RequestOrigin} remembers, or else what the container's own request says.
     *
     * <p>Where the container itself has been told to believe forwarding fields (Jetty's {@code ForwardedRequestCustomizer}, Undertow's
     * {@code ProxyPeerAddressHandler}), no servlet call tells the difference: tell it not to, or give a function that knows that
     * container. Rule: docs/servlet.md, "The socket's peer".
     */
    static PeerAddress ofContainer() {
        return RequestOrigin::peer;
    }
}

package io.github.ratelimit.servlet;

import io.github.ratelimit.http.Origin;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the peer and the target of a request, behind filters that rewrite them.
 *
 * <p>Filters that trust forwarding fields, such as Spring's {@code ForwardedHeaderFilter}, hide the peer, the target and those fields behind
 * a wrapper. This takes the wrapper off. Tomcat's {@code RemoteIpValve} overwrites them below the servlet API: call {@link #remember} before
 * that valve. Safe for concurrent use.
 */
@FunctionalInterface
public interface ServletOrigin {

    /**
     * The request's origin.
     *
     * @param request as it came, wrapped or not
     */
    Origin of(HttpServletRequest request);

    /**
     * The origin that {@link #remember} has kept, or else that of the container's own request, below all wrappers.
     *
     * <p>No servlet call tells whether the container itself trusts forwarding fields (Jetty's {@code ForwardedRequestCustomizer}, Undertow's
     * {@code ProxyPeerAddressHandler}). Switch that off, or give a function that knows the container. Rule: docs/servlet.md, "The origin of a request".
     */
    static ServletOrigin ofContainer() {
        return ContainerOrigin.INSTANCE;
    }

    /**
     * Keeps with the request what it says of its origin now. Later calls change nothing.
     *
     * <p>For what sees a request first: a valve of Tomcat's engine, or the first of all filters.
     */
    static void remember(HttpServletRequest request) {
        ContainerOrigin.keep(request);
    }

    /**
     * The container's own request: the one below all wrappers.
     *
     * @param request wrapped or not
     * @return the request itself if it is not wrapped, or if what it wraps is no HTTP request
     */
    static HttpServletRequest innermost(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest http ? http : request;
    }
}

package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A servlet request as an HTTP call.
 *
 * <p>Its decisions are kept with the request and survive forward, include, asynchronous and error dispatch. Used by one thread at a time.
 */
public final class ServletCall implements HttpCall {

    private final HttpServletRequest request;
    private final PeerAddress peer;

    private ServletCall(HttpServletRequest request, PeerAddress peer) {
        this.request = request;
        this.peer = peer;
    }

    /** Makes one that takes the peer's address from the container. */
    public static ServletCall of(HttpServletRequest request) {
        return of(request, PeerAddress.ofContainer());
    }

    /** Makes one that is told how to find the peer's address. */
    public static ServletCall of(HttpServletRequest request, PeerAddress peer) {
        return new ServletCall(request, peer);
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    /** The servlet's path and what follows it, as the container has decoded and matched them; without path parameters. */
    @Override
    public String path() {
        String rest = request.getPathInfo();
        String path = rest == null ? request.getServletPath() : request.getServletPath() + rest;
        // Containers drop parameters before they match; an escaped semicolon would only look like one, and is
        // ambiguous.
        return path.indexOf(';') < 0 ? path : withoutParameters(path);
    }

    private static String withoutParameters(String path) {
        StringBuilder kept = new StringBuilder(path.length());
        boolean parameters = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            parameters = c == ';' || (parameters && c != '/');
            if (!parameters) {
                kept.append(c);
            }
        }
        return kept.toString();
    }

    /** Of the forwarding fields, those that the peer sent: see {@link RequestOrigin}. */
    @Override
    public List<String> headers(String name) {
        if (name.equalsIgnoreCase(RequestOrigin.X_FORWARDED_FOR)) {
            return RequestOrigin.xForwardedFor(request);
        }
        if (name.equalsIgnoreCase(RequestOrigin.FORWARDED)) {
            return RequestOrigin.forwarded(request);
        }
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public String remoteAddress() {
        return peer.of(request);
    }

    @Override
    public Optional<String> user() {
        return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
    }

    /** A request attribute that is a text, a number or a UUID; anything else has no text that is surely its identity. */
    @Override
    public Optional<String> attribute(String name) {
        Object value = request.getAttribute(name);
        boolean text = value instanceof CharSequence || value instanceof Number || value instanceof UUID;
        return text ? Optional.of(value.toString()) : Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return Remembered.of(request).decisions;
    }
}

package io.github.ratelimit.servlet;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A servlet request as an HTTP call.
 *
 * <p>Its decisions are kept with the request and survive forward, include, asynchronous and error dispatch. Used by one thread at a time.
 */
public final class ServletCall implements HttpCall {

    private final HttpServletRequest request;
    private final ServletOrigin origins;
    private @Nullable Origin origin;
    private @Nullable RequestState remembered;
    private boolean lacksUser;

    ServletCall(HttpServletRequest request, ServletOrigin origins, @Nullable RequestState remembered) {
        this.request = requireNonNull(request, "request");
        this.origins = requireNonNull(origins, "origin");
        this.remembered = remembered;
    }

    /** Makes one that takes the request's origin from the container. */
    public static ServletCall of(HttpServletRequest request) {
        return of(request, ServletOrigin.ofContainer());
    }

    /** Describes a request, with a function that finds its origin. */
    public static ServletCall of(HttpServletRequest request, ServletOrigin origin) {
        return new ServletCall(request, origin, null);
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
        // Containers drop parameters before they match; an escaped
        // semicolon would only look like one, and is ambiguous.
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

    /** The forwarding fields of the peer: see {@link ServletOrigin}. */
    @Override
    public List<String> headers(String name) {
        if (name.equalsIgnoreCase(ContainerOrigin.X_FORWARDED_FOR)) {
            return origin().xForwardedFor();
        }
        if (name.equalsIgnoreCase(ContainerOrigin.FORWARDED)) {
            return origin().forwarded();
        }
        return ContainerOrigin.lines(request, name);
    }

    @Override
    public Origin origin() {
        Origin found = origin;
        if (found == null) {
            found = origins.of(request);
            origin = found;
        }
        return found;
    }

    @Override
    public Optional<Principal> principal() {
        Principal principal = request.getUserPrincipal();
        lacksUser |= principal == null;
        return Optional.ofNullable(principal);
    }

    /** What {@code isUserInRole} of the request says, and so of whoever wraps it, such as Spring Security. */
    @Override
    public boolean hasRole(String role) {
        lacksUser |= request.getUserPrincipal() == null;
        return request.isUserInRole(role);
    }

    /** Whether somebody asked for the user in vain. */
    boolean lacksUser() {
        return lacksUser;
    }

    /** A request attribute that is a text, a number or a UUID; anything else has no text that is surely its identity. */
    @Override
    public Optional<String> attribute(String name) {
        Object value = request.getAttribute(name);
        boolean text = value instanceof CharSequence || value instanceof Number || value instanceof UUID;
        return text ? Optional.of(value.toString()) : Optional.empty();
    }

    /** The request itself, or the first one below its wrappers that is of the type. */
    @Override
    public <T> Optional<T> request(Class<T> type) {
        ServletRequest inner = request;
        while (!type.isInstance(inner) && inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return type.isInstance(inner) ? Optional.of(type.cast(inner)) : Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return remembered().decisions;
    }

    RequestState remembered() {
        RequestState found = remembered;
        if (found == null) {
            found = RequestState.of(request);
            remembered = found;
        }
        return found;
    }
}

package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from, as it stood before anything rewrote it: the socket's peer, and the forwarding header fields.
 *
 * <p>Filters that believe forwarding fields, such as Spring's {@code ForwardedHeaderFilter}, hide both behind a wrapper, which is taken
 * off. Tomcat's {@code RemoteIpValve} overwrites both: where it is at work, {@link #remember} has to be called before it, and is under
 * Spring Boot. Immutable and safe for concurrent use.
 */
public final class RequestOrigin {

    static final String X_FORWARDED_FOR = "X-Forwarded-For";
    static final String FORWARDED = "Forwarded";

    private static final String ATTRIBUTE = RequestOrigin.class.getName();

    private final String peer;
    private final List<String> xForwardedFor;
    private final List<String> forwarded;

    private RequestOrigin(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        this.peer = address == null ? "" : address;
        this.xForwardedFor = lines(request, X_FORWARDED_FOR);
        this.forwarded = lines(request, FORWARDED);
    }

    /**
     * Remembers with the request what it says of its origin now. Later calls change nothing.
     *
     * <p>For what sees a request first: a valve of Tomcat's engine, or the first of all filters.
     */
    public static void remember(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) == null) {
            request.setAttribute(ATTRIBUTE, new RequestOrigin(request));
        }
    }

    /** The peer's address: what is remembered, or else what the innermost request says; empty if the socket has none. */
    static String peer(HttpServletRequest request) {
        RequestOrigin remembered = find(request);
        if (remembered != null) {
            return remembered.peer;
        }
        String address = innermost(request).getRemoteAddr();
        return address == null ? "" : address;
    }

    /** The lines of {@code X-Forwarded-For}, likewise. */
    static List<String> xForwardedFor(HttpServletRequest request) {
        RequestOrigin remembered = find(request);
        return remembered != null ? remembered.xForwardedFor : lines(innermost(request), X_FORWARDED_FOR);
    }

    /** The lines of {@code Forwarded}, likewise. */
    static List<String> forwarded(HttpServletRequest request) {
        RequestOrigin remembered = find(request);
        return remembered != null ? remembered.forwarded : lines(innermost(request), FORWARDED);
    }

    private static @Nullable RequestOrigin find(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestOrigin remembered ? remembered : null;
    }

    private static HttpServletRequest innermost(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest http ? http : request;
    }

    private static List<String> lines(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}

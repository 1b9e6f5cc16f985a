package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;

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
        this.xForwardedFor = Collections.list(request.getHeaders(X_FORWARDED_FOR));
        this.forwarded = Collections.list(request.getHeaders(FORWARDED));
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

    /** What is remembered, or else what the innermost request says. */
    static RequestOrigin of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestOrigin remembered) {
            return remembered;
        }
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return new RequestOrigin(inner instanceof HttpServletRequest http ? http : request);
    }

    /** The peer's address; empty if the socket has none. */
    String peer() {
        return peer;
    }

    /** The lines of {@code X-Forwarded-For}. */
    List<String> xForwardedFor() {
        return xForwardedFor;
    }

    /** The lines of {@code Forwarded}. */
    List<String> forwarded() {
        return forwarded;
    }
}

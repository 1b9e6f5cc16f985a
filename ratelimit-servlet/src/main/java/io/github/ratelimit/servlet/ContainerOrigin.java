package io.github.ratelimit.servlet;

import io.github.ratelimit.http.Origin;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** The origin, from servlet calls. Safe for concurrent use. */
enum ContainerOrigin implements ServletOrigin {
    INSTANCE;

    static final String X_FORWARDED_FOR = "X-Forwarded-For";
    static final String FORWARDED = "Forwarded";

    private static final String ATTRIBUTE = ServletOrigin.class.getName();

    @Override
    public Origin of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Origin kept) {
            return kept;
        }
        HttpServletRequest inner = ServletOrigin.innermost(request);
        // No line of a field is read until somebody asks: most peers are
        // not trusted, and their fields are never looked at.
        return Origin.of(peer(inner), target(inner), name -> lines(inner, name));
    }

    /** Reads all of it at once, as it is about to be overwritten. */
    static void keep(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) == null) {
            List<String> xForwardedFor = lines(request, X_FORWARDED_FOR);
            List<String> forwarded = lines(request, FORWARDED);
            request.setAttribute(
                    ATTRIBUTE,
                    Origin.of(
                            peer(request),
                            target(request),
                            name -> name.equalsIgnoreCase(X_FORWARDED_FOR) ? xForwardedFor : forwarded));
        }
    }

    private static String peer(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        return address == null ? "" : address;
    }

    private static String target(HttpServletRequest request) {
        String target = request.getRequestURI();
        return target == null ? "" : target;
    }

    static List<String> lines(HttpServletRequest request, String name) {
        Enumeration<String> lines = request.getHeaders(name);
        return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
    }
}

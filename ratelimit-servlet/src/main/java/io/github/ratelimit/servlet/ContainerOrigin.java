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

    private static final String ATTRIBUTE = Origin.class.getName();

    @Override
    public Origin of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Origin kept) {
            return kept;
        }
        return read(ServletOrigin.innermost(request));
    }

    /** Reads all of it at once, as it is about to be overwritten. */
    static void keep(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) == null) {
            request.setAttribute(ATTRIBUTE, read(request).kept());
        }
    }

    /** No line of a field is read until somebody asks: most peers are not trusted, and their fields are never looked at. */
    private static Origin read(HttpServletRequest request) {
        return Origin.of(request.getRemoteAddr(), request.getRequestURI(), name -> lines(request, name));
    }

    static List<String> lines(HttpServletRequest request, String name) {
        Enumeration<String> lines = request.getHeaders(name);
        return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
    }
}

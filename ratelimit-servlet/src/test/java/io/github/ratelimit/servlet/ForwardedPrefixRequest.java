package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;

/**
 * Puts {@code X-Forwarded-Prefix} before the target, and cleans the target while it is at it, as Spring's {@code ForwardedHeaderFilter}
 * does: parameters and doubled slashes are gone, and so is the raw target.
 */
final class ForwardedPrefixRequest extends HttpServletRequestWrapper {

    private final String prefix;

    ForwardedPrefixRequest(ServletRequest request) {
        super((HttpServletRequest) request);
        String sent = super.getHeader("X-Forwarded-Prefix");
        this.prefix = sent == null ? "" : sent;
    }

    @Override
    public String getContextPath() {
        return prefix;
    }

    @Override
    public String getRequestURI() {
        String path = super.getRequestURI().replaceAll(";[^/]*", "").replaceAll("/+", "/");
        return prefix.isEmpty() ? super.getRequestURI() : prefix + path;
    }

    @Override
    public String getRemoteAddr() {
        return "198.51.100.99";
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        boolean hidden = name.toLowerCase(Locale.ROOT).startsWith("x-forwarded-") || name.equalsIgnoreCase("Forwarded");
        return hidden ? Collections.emptyEnumeration() : super.getHeaders(name);
    }
}

package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sets the header fields of every answer of the interface, before anything can reject the request: a page elsewhere could
 * not read a rejection without them.
 */
final class RestHeaders extends OncePerRequestFilter {
    private static final String EXPOSED = "X-WP-Total, X-WP-TotalPages, Link";

    private final SiteAddress site;

    RestHeaders(SiteAddress site) {
        this.site = site;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest http, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Robots-Tag", "noindex");
        response.setHeader("Link", "<" + RestAddress.of(site.of(http), "/") + ">; rel=\"https://api.w.org/\"");
        response.setHeader("Access-Control-Expose-Headers", EXPOSED);
        response.setHeader(
                "Access-Control-Allow-Headers",
                "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type");
        String from = http.getHeader("Origin");
        if (from != null && isOrigin(from)) {
            // Credentials are never ambient here: each request carries its own, so a foreign page can only use those
            // that it was given.
            response.setHeader("Access-Control-Allow-Origin", from);
            response.setHeader("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE");
            response.setHeader("Access-Control-Allow-Credentials", "true");
            response.setHeader("Vary", "Origin");
        }
        chain.doFilter(http, response);
    }

    private static boolean isOrigin(String text) {
        return text.length() <= 300 && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '<' && c != '"');
    }
}

package io.github.ratelimit.content.widget;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets pages of the configured origins call the widget and read its rate-limit fields.
 *
 * <p>Preflights are answered here and never counted. A request from another origin is served without CORS fields, so that every response
 * carries the rate-limit fields. There are no cookies, so a foreign page acts for nobody.
 */
final class WidgetCorsFilter extends OncePerRequestFilter {
    private static final String ANSWER_FIELDS =
            "Date, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, RateLimit, RateLimit-Policy";

    private final List<String> allowed;

    WidgetCorsFilter(List<String> allowed) {
        this.allowed = allowed;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Also without an origin: a cache must not serve this answer to one.
        response.addHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String answer = answer(origin);
        if (answer != null) {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, answer);
            response.setHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_FIELDS);
        }
        if (origin == null
                || !HttpMethod.OPTIONS.matches(request.getMethod())
                || request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD) == null) {
            chain.doFilter(request, response);
        } else if (answer == null) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        } else {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST");
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, "Authorization, Content-Type");
            response.setHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, "3600");
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }
    }

    private @Nullable String answer(@Nullable String origin) {
        if (origin == null) {
            return null;
        }
        return allowed.contains("*") ? "*" : allowed.contains(origin) ? origin : null;
    }
}

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
 * Lets pages of configured origins, and of those that a workspace names, call the widget and read the rate-limit fields.
 *
 * <p>A preflight is answered here: it is not counted and reaches no endpoint. A request of another origin is served
 * without the fields that would let its page read the answer, since that is all that a server can do about it: a program
 * that is no browser sends whatever origin it likes. There are no cookies, so a foreign page acts for nobody.
 */
final class WidgetCorsFilter extends OncePerRequestFilter {

    private static final String METHODS = "GET, POST";
    private static final String REQUEST_FIELDS = "Authorization, Content-Type, Idempotency-Key";
    private static final String ANSWER_FIELDS =
            "Date, Idempotency-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, RateLimit, RateLimit-Policy";
    private static final String MAX_AGE_SECONDS = "3600";

    private final List<String> allowed;
    private final Origins origins;

    WidgetCorsFilter(List<String> allowed, Origins origins) {
        this.allowed = allowed;
        this.origins = origins;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Also where there is no origin: a cache must not serve this answer to one.
        response.addHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String answer = answer(origin, request);
        if (answer != null) {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, answer);
        }
        if (origin != null && isPreflight(request)) {
            answerPreflight(response, answer != null);
            return;
        }
        if (answer != null) {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_FIELDS);
        }
        chain.doFilter(request, response);
    }

    private static void answerPreflight(HttpServletResponse response, boolean allowed) throws IOException {
        if (!allowed) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        response.addHeader(HttpHeaders.VARY, HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
        response.addHeader(HttpHeaders.VARY, HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
        response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_FIELDS);
        response.setHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private static boolean isPreflight(HttpServletRequest request) {
        return HttpMethod.OPTIONS.matches(request.getMethod())
                && request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD) != null;
    }

    private @Nullable String answer(@Nullable String origin, HttpServletRequest request) {
        if (origin == null) {
            return null;
        }
        if (allowed.contains(Origins.ANY)) {
            return Origins.ANY;
        }
        return allowed.contains(origin) || isOfWorkspace(origin, request) ? origin : null;
    }

    /** A token says which workspace is meant. Without one, as in each preflight, any workspace may let the origin pass. */
    private boolean isOfWorkspace(String origin, HttpServletRequest request) {
        if (request.getAttribute(VisitorSession.PROOF_ATTRIBUTE) instanceof VisitorSession caller) {
            return origins.allowsIn(caller.conversationId(), origin);
        }
        boolean allowedSomewhere = origins.allowsSomewhere(origin);
        if (allowedSomewhere) {
            request.setAttribute(Origins.OF_SOME_WORKSPACE, true);
        }
        return allowedSomewhere;
    }
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.BearerToken;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Verifies the token of a visitor, before anything is counted by it. Refuses nobody: a request without proof goes on to the limiter,
 * which counts it by address, and is refused after that.
 */
final class VisitorTokenFilter extends OncePerRequestFilter {

    private final VisitorTokens tokens;

    VisitorTokenFilter(VisitorTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        BearerToken.of(request).flatMap(tokens::verify).ifPresent(session -> {
            request.setAttribute(
                    VisitorSession.KEY_ATTRIBUTE, session.conversationId().toString());
            request.setAttribute(VisitorSession.PROOF_ATTRIBUTE, session);
            request.setAttribute(RepeatedRequests.CALLER_ATTRIBUTE, session.caller());
        });
        chain.doFilter(request, response);
    }
}

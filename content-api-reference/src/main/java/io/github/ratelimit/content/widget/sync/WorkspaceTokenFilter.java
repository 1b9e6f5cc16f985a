package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.BearerToken;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Verifies the token of a workspace, before anything is counted by it. Refuses nobody: a request without proof goes on to the limiter,
 * which counts it by address, and is refused after that.
 */
final class WorkspaceTokenFilter extends OncePerRequestFilter {

    private final Workspaces workspaces;

    WorkspaceTokenFilter(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        BearerToken.of(request).flatMap(workspaces::authenticate).ifPresent(token -> {
            request.setAttribute(WorkspaceToken.KEY_ATTRIBUTE, token.id());
            request.setAttribute(WorkspaceToken.class.getName(), token);
            request.setAttribute(RepeatedRequests.CALLER_ATTRIBUTE, "site:" + token.id());
        });
        chain.doFilter(request, response);
    }
}

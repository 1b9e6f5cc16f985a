package io.github.ratelimit.content.server.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers what pages and filters cannot serve for what the server lacks at the moment. Tomcat would log it as an error with a stack trace, so that a
 * burst of requests would fill the log.
 */
@Component
@FilterRegistration(order = Ordered.HIGHEST_PRECEDENCE)
final class BusyFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException problem) {
            Optional<UnavailableException> busy = Causes.passing(problem);
            if (busy.isEmpty() || response.isCommitted()) {
                throw problem;
            }
            if (busy.get().isPassing()) {
                response.setHeader(HttpHeaders.RETRY_AFTER, UnavailableException.RETRY_AFTER);
            }
            response.sendError(busy.get().status());
        }
    }
}

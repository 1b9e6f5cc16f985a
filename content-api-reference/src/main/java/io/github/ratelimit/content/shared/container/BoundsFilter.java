package io.github.ratelimit.content.shared.container;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * The outermost filter of every surface: counts what requests hold, and answers for those that are given up.
 *
 * <p>Whoever runs out of memory ends the process: see {@link OutOfMemory}.
 */
final class BoundsFilter implements Filter {
    private final Transfers transfers;
    private final OutOfMemory outOfMemory;

    BoundsFilter(Transfers transfers, OutOfMemory outOfMemory) {
        this.transfers = transfers;
        this.outOfMemory = outOfMemory;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        var bounded = new BoundedRequest(http, transfers);
        transfers.serving(bounded);
        try {
            chain.doFilter(bounded, new BoundedResponse(answer, transfers));
        } catch (UnavailableException refusal) {
            refuse(refusal, http, answer);
        } catch (IOException | ServletException | RuntimeException | Error problem) {
            outOfMemory.endIfCausedBy(problem);
            throw problem;
        } finally {
            transfers.serving(null);
            bounded.release();
        }
    }

    private static void refuse(UnavailableException refusal, HttpServletRequest http, HttpServletResponse answer)
            throws IOException {
        if (answer.isCommitted()) {
            throw new IOException(refusal.getMessage(), refusal);
        }
        answer.resetBuffer();
        if (refusal.isPassing()) {
            answer.setHeader("Retry-After", UnavailableException.RETRY_AFTER);
        }
        // What is left of the body is not worth reading.
        answer.setHeader("Connection", "close");
        JsonErrorController.answer(refusal.status(), http.getRequestURI(), answer);
    }
}

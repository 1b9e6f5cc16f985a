package io.github.ratelimit.content.shared.container;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.apache.tomcat.util.http.InvalidParameterException;

/**
 * The outermost filter of every surface: counts what requests hold and what they have done, and answers for those that are given up.
 *
 * <p>Whoever runs out of memory ends the process: see {@link OutOfMemory}.
 */
final class BoundsFilter implements Filter {
    private final Transfers transfers;
    private final RequestMeters meters;
    private final OutOfMemory outOfMemory;

    BoundsFilter(Transfers transfers, RequestMeters meters, OutOfMemory outOfMemory) {
        this.transfers = transfers;
        this.meters = meters;
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
            chain.doFilter(bounded, answer);
        } catch (IOException | ServletException | RuntimeException | Error problem) {
            outOfMemory.endIfCausedBy(problem);
            if (!isAnswered(problem, http, answer)) {
                throw problem;
            }
        } finally {
            transfers.serving(null);
            meters.served(bounded, transfers.now());
            bounded.release();
        }
    }

    /** Answers for failures that are not ours: the container would log each as one, and a stranger would fill the log. */
    private static boolean isAnswered(Throwable problem, HttpServletRequest http, HttpServletResponse answer)
            throws IOException {
        Optional<IOException> leaving = Causes.leaving(problem);
        if (leaving.isPresent()) {
            throw leaving.get();
        }
        Optional<UnavailableException> passing = Causes.passing(problem);
        if (passing.isPresent()) {
            refuse(passing.get(), http, answer);
            return true;
        }
        // A query or a form that is no percent-encoded UTF-8.
        boolean isUnreadable =
                Causes.find(problem, InvalidParameterException.class).isPresent();
        if (isUnreadable && !answer.isCommitted()) {
            answer.resetBuffer();
            JsonErrorController.answer(HttpServletResponse.SC_BAD_REQUEST, http.getRequestURI(), answer);
            return true;
        }
        return false;
    }

    private static void refuse(UnavailableException refusal, HttpServletRequest http, HttpServletResponse answer)
            throws IOException {
        if (answer.isCommitted()) {
            throw new GivenUpException(String.valueOf(refusal.getMessage()));
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

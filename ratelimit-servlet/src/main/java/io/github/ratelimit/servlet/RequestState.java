package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpVerdict;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The state that a request keeps, in one attribute: it survives every dispatch. Used by one thread at a time. */
final class RequestState {

    private static final String ATTRIBUTE = RequestState.class.getName();

    final HttpDecisions decisions = new HttpDecisions();

    /** The last one: it has the fields of all before it. */
    private @Nullable HttpVerdict verdict;

    private @Nullable HttpServletResponse response;

    // The filters that the request has met on its way in: there are two at most, unless something is wrong.
    private @Nullable RateLimitFilter first;
    private @Nullable RateLimitFilter second;

    private boolean swallowed;

    /** How many of our filters are around the code that runs now. */
    private int depth;

    static RequestState of(ServletRequest request) {
        RequestState remembered = find(request);
        if (remembered == null) {
            remembered = new RequestState();
            request.setAttribute(ATTRIBUTE, remembered);
        }
        return remembered;
    }

    static @Nullable RequestState find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestState remembered ? remembered : null;
    }

    /** Whether the request has met this filter before. */
    @SuppressWarnings("ReferenceEquality") // the very same one
    boolean meetsAgain(RateLimitFilter filter) {
        if (first == filter || second == filter) {
            return true;
        }
        if (first == null) {
            first = filter;
        } else {
            second = filter;
        }
        return false;
    }

    /** Enters a filter. */
    void enter() {
        depth++;
    }

    /**
     * Leaves a filter. The last one ends the request.
     *
     * @param returned whether no exception escaped
     */
    void leave(HttpServletRequest request, HttpServletResponse response, boolean returned) {
        depth--;
        endUnlessFiltered(request, response, returned);
    }

    /** Ends the request where no filter does: now, or when its asynchronous part is complete. */
    void endUnlessFiltered(HttpServletRequest request, HttpServletResponse response, boolean returned) {
        if (depth == 0 && decisions.awaitsEnd()) { // else a later dispatch may still take permits
            RequestEnd.tell(request, response, decisions, returned);
        }
    }

    /** Reports once that the rejection did not reach the client. */
    boolean swallowsRejection() {
        boolean before = swallowed;
        swallowed = true;
        return !before;
    }

    /** Keeps a verdict and sets its fields: those of a rejection tell the client. */
    void write(HttpVerdict verdict, HttpServletResponse response) {
        this.verdict = verdict;
        this.response = response;
        if (!verdict.allowed()) {
            decisions.tellRejection();
        }
        verdict.writeFields(response::setHeader);
    }

    /** Settles what a limiter took, and tells it if the response has not begun yet. */
    CompletableFuture<Void> settle(String limiter, long actual) {
        CompletableFuture<Void> done = decisions.settle(limiter, actual);
        if (response != null && !response.isCommitted()) {
            rewrite(response);
        }
        return done;
    }

    /** Sets the last verdict's fields once more. */
    void rewrite(HttpServletResponse response) {
        if (verdict != null) {
            verdict.writeFields(response::setHeader);
        }
    }

    /** Whether the last verdict is no rejection. */
    boolean isAllowed() {
        return verdict == null || verdict.allowed();
    }

    /** Whether the last verdict has a field of that name. */
    boolean hasField(String name) {
        return verdict != null
                && name.toLowerCase(Locale.ROOT).contains("ratelimit")
                && verdict.fields().keySet().stream().anyMatch(name::equalsIgnoreCase);
    }
}

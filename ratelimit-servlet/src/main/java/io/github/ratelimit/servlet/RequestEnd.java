package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpDecisions;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Tells the decisions of an asynchronous request its end. Used by one thread at a time. */
record RequestEnd(HttpDecisions decisions, HttpServletResponse response) implements AsyncListener {

    /**
     * Tells the end of a request now, or when its asynchronous part is complete. For the outermost filter, or an interceptor without one.
     *
     * @param returned whether no exception escaped
     */
    static void tell(
            HttpServletRequest request, HttpServletResponse response, HttpDecisions decisions, boolean returned) {
        if (request.isAsyncStarted()) {
            request.getAsyncContext().addListener(new RequestEnd(decisions, response));
        } else {
            decisions.ended(returned ? response.getStatus() : HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        decisions.ended(response.getStatus());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this); // a new cycle has no listeners
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // The container answers, and completes it.
    }

    @Override
    public void onError(AsyncEvent event) {
        // The container answers, and completes it.
    }
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Counts what an address has stored: each request that may store something costs the bytes of its body and those of the
 * rows that it makes, and an answer that is kept for its repetitions costs its own. Asked behind the documented limits, which stay as they are.
 */
final class StorageQuota implements HandlerInterceptor {

    /** The limiter's name. */
    static final String LIMITER = "widget-storage";

    /** Chosen: a row with its indexes; also what an empty conversation costs. */
    static final int ROW = 512;

    /** Chosen: an answer with its sources, of which nobody knows the length before it is made. */
    static final int ANSWER = 4 * 1024;

    /** Stores nothing but an answer. */
    private static final String TYPING = "/typing";

    /** What a body may have at most that does not say its length. */
    private static final int LONGEST_BODY = 64 * 1024;

    private final Quota quota;

    StorageQuota(Quota quota) {
        this.quota = quota;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getMethod().equals("POST")) {
            RepeatedRequests.Room room = bytes -> quota.take(request, ROW + bytes);
            request.setAttribute(RepeatedRequests.ROOM_ATTRIBUTE, room);
        }
        if (request.getMethod().equals("POST") && !request.getServletPath().endsWith(TYPING)) {
            long body = request.getContentLengthLong();
            long answer = request.getServletPath().endsWith("/messages") ? ANSWER : 0;
            quota.take(request, response, ROW + answer + (body < 0 ? LONGEST_BODY : Math.min(body, LONGEST_BODY)));
        }
        return true;
    }
}

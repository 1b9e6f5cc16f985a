package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.limit.WaitingRoom;
import io.github.ratelimit.content.widget.api.ApiException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Lets only a few large bodies into memory at a time: one of each workspace, some of all. Others wait, and are asked to
 * come again if that takes too long. Safe for concurrent use.
 */
final class LargeBodies implements HandlerInterceptor {

    /** Chosen: what is shorter is no burden, and most changes are. */
    private static final long LARGE = 1 << 20;

    private static final String HELD = LargeBodies.class.getName();

    private final Semaphore all;
    private final WaitingRoom room;
    private final Duration patience;
    private final Map<String, Semaphore> ofWorkspaces = new ConcurrentHashMap<>();

    /**
     * Creates the gate.
     *
     * @param atATime 1 or more
     * @param room where those who find no place wait
     * @param patience how long a request waits for its workspace, and then for all
     */
    LargeBodies(int atATime, WaitingRoom room, Duration patience) {
        all = new Semaphore(atATime, true);
        this.room = room;
        this.patience = patience;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        long length = request.getContentLengthLong();
        boolean hasLength = length >= 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null;
        boolean isSmall = hasLength && length <= LARGE;
        // Who has no token is refused before the body is read.
        if (isSmall || !(request.getAttribute(WorkspaceToken.class.getName()) instanceof WorkspaceToken caller)) {
            return true;
        }
        Semaphore own = ofWorkspaces.computeIfAbsent(caller.workspaceId(), key -> new Semaphore(1, true));
        if (!acquire(own)) {
            throw busy();
        }
        if (!acquire(all)) {
            own.release();
            throw busy();
        }
        request.setAttribute(HELD, own);
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception problem) {
        if (request.getAttribute(HELD) instanceof Semaphore own) {
            request.removeAttribute(HELD);
            all.release();
            own.release();
        }
    }

    private boolean acquire(Semaphore places) {
        try {
            // At first for no time: that does not overtake those who wait.
            return places.tryAcquire(0, TimeUnit.MILLISECONDS)
                    || places.tryAcquire(room.patience(patience).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ApiException busy() {
        return ApiException.of(
                HttpStatus.SERVICE_UNAVAILABLE, "busy", "Too many large bodies are being read. Try again.");
    }
}

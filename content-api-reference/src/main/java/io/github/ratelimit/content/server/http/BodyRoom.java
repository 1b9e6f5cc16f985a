package io.github.ratelimit.content.server.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all request bodies share. The body that came first may fill it. Others leave room for one more whole body, and wait in their order, so
 * that bodies which are half there do not wait for each other. Safe for concurrent use.
 */
final class BodyRoom {
    private final long most;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition freed = lock.newCondition();
    /** The bytes of each body, the first one first. */
    private final Map<RequestBody, Long> bodies = new LinkedHashMap<>();

    private long taken;

    BodyRoom(long most) {
        this.most = most;
    }

    /**
     * Takes memory for a piece of a body.
     *
     * @param limit the most bytes that the whole body may have
     * @throws UnavailableException 503 if there is no room for too long
     */
    void take(RequestBody body, long bytes, long limit, Duration patience) {
        lock.lock();
        try {
            bodies.putIfAbsent(body, 0L);
            long left = patience.toNanos();
            while (taken + bytes > (bodies.keySet().iterator().next() == body ? most : most - limit)) {
                if (left <= 0) {
                    throw UnavailableException.busy("Too many bodies are being read at the moment.");
                }
                left = freed.awaitNanos(left);
            }
            taken += bytes;
            bodies.merge(body, bytes, Long::sum);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UnavailableException.busy("This server is about to stop.");
        } finally {
            lock.unlock();
        }
    }

    /** Gives back all that a body took. */
    void free(RequestBody body) {
        lock.lock();
        try {
            Long held = bodies.remove(body);
            taken -= held == null ? 0 : held;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

package io.github.ratelimit.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests that wait to be sent, and the number of those that were sent and have not ended. Any thread adds; only the engine's takes. */
final class RequestQueue {

    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

    /** Those in the queue, and those that were taken from it until they are released: so a request between both is counted once. */
    private final AtomicInteger pending = new AtomicInteger();

    /**
     * Adds a request.
     *
     * @param most how many may be pending
     * @return whether there was room
     */
    boolean add(Request request, int most) {
        if (pending.incrementAndGet() > most) {
            pending.decrementAndGet();
            return false;
        }
        return requests.add(request);
    }

    int pending() {
        return pending.get();
    }

    /** Requests that were taken have ended. */
    void release(int requests) {
        pending.addAndGet(-requests);
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    @Nullable
    Request peek() {
        return requests.peek();
    }

    @Nullable
    Request poll() {
        return requests.poll();
    }

    List<Request> takeAll() {
        List<Request> all = new ArrayList<>();
        for (Request request = poll(); request != null; request = poll()) {
            all.add(request);
        }
        release(all.size());
        return all;
    }

    /** Ends requests after their deadline, and drops those that have ended. Returns whether something had. */
    boolean expire(long now, String product) {
        requests.forEach(request -> request.expire(now, product));
        return requests.removeIf(request -> request.isDone() && pending.decrementAndGet() >= 0);
    }
}

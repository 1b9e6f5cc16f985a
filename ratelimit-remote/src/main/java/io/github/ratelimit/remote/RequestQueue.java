package io.github.ratelimit.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests that wait to be sent. Any thread adds; only the engine's takes. */
final class RequestQueue {

    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger(); // as the queue counts its elements one by one

    /**
     * Adds a request.
     *
     * @param most how many may be in it
     * @return whether there was room
     */
    boolean add(Request request, int most) {
        if (size.incrementAndGet() > most) {
            size.decrementAndGet();
            return false;
        }
        return requests.add(request);
    }

    int size() {
        return size.get();
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
        Request request = requests.poll();
        if (request != null) {
            size.decrementAndGet();
        }
        return request;
    }

    List<Request> takeAll() {
        List<Request> all = new ArrayList<>();
        for (Request request = poll(); request != null; request = poll()) {
            all.add(request);
        }
        return all;
    }

    /** Ends requests after their deadline, and drops those that have ended. Returns whether something had. */
    boolean expire(long now, String product) {
        requests.forEach(request -> request.expire(now, product));
        return requests.removeIf(request -> {
            boolean isOver = request.isDone();
            if (isOver) {
                size.decrementAndGet();
                request.drop();
            }
            return isOver;
        });
    }
}

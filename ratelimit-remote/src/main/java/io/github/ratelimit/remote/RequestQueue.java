package io.github.ratelimit.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that wait to be sent, and the number of those that were sent and have not ended. Any thread adds; only the engine's takes. */
final class RequestQueue extends ConcurrentLinkedQueue<Request> {

    private static final long serialVersionUID = 1;

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
        return add(request);
    }

    int pending() {
        return pending.get();
    }

    /** Requests that were taken have ended. */
    void release(int requests) {
        pending.addAndGet(-requests);
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
        forEach(request -> request.expire(now, product));
        return removeIf(request -> request.isDone() && pending.decrementAndGet() >= 0);
    }
}

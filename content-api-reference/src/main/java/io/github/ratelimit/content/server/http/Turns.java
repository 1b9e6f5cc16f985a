package io.github.ratelimit.content.server.http;

import io.github.ratelimit.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Limits the requests in flight for each client address. Further requests queue, first come first served. Safe for concurrent use. */
final class Turns {
    private final int most;
    private final Map<Key, Queue> queues = new HashMap<>();

    Turns(int most) {
        this.most = most;
    }

    private static final class Queue {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int inFlight;
    }

    /** Starts a request if its address has room. Then the caller must call {@link #end}. */
    synchronized boolean tryBegin(Key address) {
        return tryBegin(queue(address));
    }

    private boolean tryBegin(Queue queue) {
        if (queue.inFlight >= most) {
            return false;
        }
        queue.inFlight++;
        return true;
    }

    private Queue queue(Key address) {
        return queues.computeIfAbsent(address, unseen -> new Queue());
    }

    /** Runs the task as soon as its address has room: now, or on the thread of a request that ends. */
    void begin(Key address, Runnable task) {
        synchronized (this) {
            Queue queue = queue(address);
            if (!tryBegin(queue)) {
                queue.waiting.add(task);
                return;
            }
        }
        task.run();
    }

    /** Removes a task from the queue; false if it has left the queue already. */
    synchronized boolean giveUp(Key address, Runnable task) {
        Queue queue = queues.get(address);
        return queue != null && queue.waiting.remove(task);
    }

    /** Ends a request, and passes its place to the next one in the queue. */
    void end(Key address) {
        Runnable next;
        synchronized (this) {
            Queue queue = queue(address);
            next = queue.waiting.poll();
            if (next == null && --queue.inFlight == 0) {
                queues.remove(address);
            }
        }
        if (next != null) {
            next.run();
        }
    }

    synchronized int addresses() {
        return queues.size();
    }
}

package io.github.ratelimit.content.server.http;

import io.github.ratelimit.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Limits the requests in flight for each client address. Further requests queue, first come first served. Safe for concurrent use. */
final class Turns {
    private final int most;
    private final Map<Key, Line> lines = new HashMap<>();

    Turns(int most) {
        this.most = most;
    }

    private static final class Line {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int inFlight;
    }

    /** Starts a request if its address has room. Then the caller must call {@link #end}. */
    synchronized boolean tryBegin(Key address) {
        return tryBegin(line(address));
    }

    private boolean tryBegin(Line line) {
        if (line.inFlight >= most) {
            return false;
        }
        line.inFlight++;
        return true;
    }

    private Line line(Key address) {
        return lines.computeIfAbsent(address, unseen -> new Line());
    }

    /** Runs the task as soon as its address has room: now, or on the thread of a request that ends. */
    void begin(Key address, Runnable task) {
        synchronized (this) {
            Line line = line(address);
            if (!tryBegin(line)) {
                line.waiting.add(task);
                return;
            }
        }
        task.run();
    }

    /** Removes a task from the queue; false if it has left the queue already. */
    synchronized boolean giveUp(Key address, Runnable task) {
        Line line = lines.get(address);
        return line != null && line.waiting.remove(task);
    }

    /** Ends a request, and passes its place to the next one in the queue. */
    void end(Key address) {
        Runnable next;
        synchronized (this) {
            Line line = line(address);
            next = line.waiting.poll();
            if (next == null && --line.inFlight == 0) {
                lines.remove(address);
            }
        }
        if (next != null) {
            next.run();
        }
    }

    synchronized int addresses() {
        return lines.size();
    }
}

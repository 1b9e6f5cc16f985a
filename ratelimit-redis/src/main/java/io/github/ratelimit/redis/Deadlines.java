package io.github.ratelimit.redis;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends what takes too long. As everything may take equally long, what came first is due first: a queue and one thread that sleeps until
 * its head is due, which costs a request one node of a list.
 *
 * <p>Safe for concurrent use. The thread is a daemon and ends with {@link #close()}.
 */
final class Deadlines implements AutoCloseable {

    /** What may take too long. */
    interface Timed {
        /** Whether it came to an end by itself. */
        boolean isDone();

        /** When it is due, by {@link #time}. */
        long deadline();

        /** Ends it. Does not block. */
        void expire();
    }

    private final TimeSource time;
    private final long timeout;
    private final Queue<Timed> queue = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean idle;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param time what runs on while tests stand still: the machine's
     */
    Deadlines(TimeSource time, Duration timeout) {
        this.time = time;
        this.timeout = timeout.toNanos();
        this.thread = new Thread(this::run, "ratelimit-redis-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    /** When something that begins now is due. */
    long next() {
        return time.nanoTime() + timeout;
    }

    /** Watches it from now on. */
    void watch(Timed timed) {
        queue.add(timed);
        if (idle) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            Timed head = queue.peek();
            if (head == null) {
                idle = true;
                if (queue.isEmpty() && !closed) { // asked again: what was added before `idle` was seen wakes nobody
                    LockSupport.park(this);
                }
                idle = false;
            } else if (head.isDone()) {
                queue.poll();
            } else {
                long left = head.deadline() - time.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(this, left);
                } else {
                    queue.poll();
                    head.expire();
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        for (Timed timed = queue.poll(); timed != null; timed = queue.poll()) {
            timed.expire();
        }
    }
}

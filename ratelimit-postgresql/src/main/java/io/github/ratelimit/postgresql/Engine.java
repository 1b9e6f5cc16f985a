package io.github.ratelimit.postgresql;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The engine's one thread. */
final class Engine extends ScheduledThreadPoolExecutor {

    private static final long LONGEST_MILLIS = 1000;

    private final Threads threads;

    Engine() {
        this(new Threads("engine"));
    }

    private Engine(Threads threads) {
        super(1, threads);
        this.threads = threads;
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Whether the calling thread is it. */
    boolean isCurrent() {
        return Thread.currentThread() == threads.last;
    }

    /** Waits for its tasks so far, but not for ever. */
    void await() {
        try {
            submit(() -> {}).get(LONGEST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) { // it is busy
        }
    }

    /** Makes threads that keep no process alive. */
    static final class Threads implements ThreadFactory {

        private final AtomicInteger made = new AtomicInteger();
        private final String name;
        private volatile Thread last = Thread.currentThread();

        Threads(String name) {
            this.name = name;
        }

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "ratelimit-postgresql-%s-%d".formatted(name, made.incrementAndGet()));
            thread.setDaemon(true);
            last = thread;
            return thread;
        }
    }
}

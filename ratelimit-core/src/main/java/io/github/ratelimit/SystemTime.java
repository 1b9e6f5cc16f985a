package io.github.ratelimit;

import java.time.Instant;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The only place of the library that reads the machine's clocks. */
enum SystemTime implements TimeSource {
    INSTANCE;

    /** The thread ends after this time without a task, so that an undeployed application can be unloaded. */
    private static final long IDLE_SECONDS = 5;

    /** Created with the first task. */
    private static final class Timer {

        private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

        private static ScheduledThreadPoolExecutor executor() {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Timer::thread);
            executor.setRemoveOnCancelPolicy(true);
            executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }

        /** Inherits neither thread locals nor the context class loader of the first caller. */
        private static Thread thread(Runnable work) {
            Thread thread = new Thread(null, work, "ratelimit-timer", 0, false);
            thread.setContextClassLoader(null);
            thread.setDaemon(true);
            return thread;
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public Future<?> runAfter(long nanos, Runnable task) {
        // The pool runs it: a task that blocks must not delay the others.
        return Timer.EXECUTOR.schedule(() -> ForkJoinPool.commonPool().execute(task), nanos, TimeUnit.NANOSECONDS);
    }
}

package io.github.ratelimit;

import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The only place of the library that reads the machine's clocks. */
enum SystemTime implements TimeSource {
    INSTANCE;

    /** Threads end after this time without a task, so that an undeployed application can be unloaded. */
    private static final long IDLE_SECONDS = 5;

    /** Created with the first task. */
    private static final class Timer {

        private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

        /** Runs the tasks on as many threads as it takes: neither one that blocks nor a busy common pool delays the others. */
        private static final ExecutorService TASKS = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), Timer::taskThread);

        private static final AtomicInteger THREADS = new AtomicInteger();

        private static ScheduledThreadPoolExecutor executor() {
            ScheduledThreadPoolExecutor executor =
                    new ScheduledThreadPoolExecutor(1, work -> thread("ratelimit-timer", work));
            executor.setRemoveOnCancelPolicy(true);
            executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }

        private static Thread taskThread(Runnable work) {
            return thread("ratelimit-timer-" + THREADS.incrementAndGet(), work);
        }

        /** Inherits neither thread locals nor the context class loader of the first caller. */
        private static Thread thread(String name, Runnable work) {
            Thread thread = new Thread(null, work, name, 0, false);
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
        return Timer.EXECUTOR.schedule(() -> Timer.TASKS.execute(task), nanos, TimeUnit.NANOSECONDS);
    }
}

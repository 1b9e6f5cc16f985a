package io.github.ratelimit.postgresql;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tasks run one after the other, and each sees the effects of those before it. The engine's thread is the one that brings a task
 * while no other carries out tasks: none has to wake up. A separate thread waits for the moments of scheduled tasks.
 */
final class Engine extends ScheduledThreadPoolExecutor {

    private static final long LONGEST_MILLIS = 1000;

    /** Chosen: a thread that brought one task carries out so many before it returns to its own work. */
    private static final int MOST_TASKS = 32;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unfinished =
            new AtomicInteger(); // the thread that makes it 1 carries them out until it is 0
    private volatile @Nullable Thread at;

    Engine() {
        super(1, new Threads("engine"));
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Whether the calling thread carries out a task. */
    boolean isCurrent() {
        return Thread.currentThread() == at;
    }

    @Override
    public void execute(Runnable task) {
        if (isShutdown()) {
            throw new RejectedExecutionException("the store was closed");
        }
        tasks.add(task);
        if (unfinished.getAndIncrement() == 0) {
            work();
        }
    }

    private void work() {
        for (int done = 1; ; done++) {
            at = Thread.currentThread();
            try {
                tasks.remove().run();
            } catch (RuntimeException
                    | Error e) { // a fault of ours: those that wait for the next task have no part in it
                Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), e);
            } finally {
                at = null;
            }
            if (unfinished.decrementAndGet() == 0 || (done >= MOST_TASKS && handsOver())) {
                return;
            }
        }
    }

    private boolean handsOver() {
        try {
            super.schedule(this::work, 0, TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) { // it has ended
            return false;
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return super.schedule(() -> execute(task), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long pause, TimeUnit unit) {
        return super.scheduleWithFixedDelay(() -> execute(task), first, pause, unit);
    }

    /** Waits for its tasks so far, but not for ever. */
    void await() {
        try {
            CompletableFuture.runAsync(() -> {}, this).get(LONGEST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) { // it is busy
        }
    }

    /** Makes threads that keep no process alive, and nothing of the thread that happens to need them. */
    static final class Threads implements ThreadFactory {

        private final AtomicInteger made = new AtomicInteger();
        private final String name;
        private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

        Threads(String name) {
            this.name = name;
        }

        @Override
        public Thread newThread(Runnable work) {
            String named = "ratelimit-postgresql-%s-%d".formatted(name, made.incrementAndGet());
            Thread thread = new Thread(null, work, named, 0, false);
            thread.setContextClassLoader(loader);
            thread.setDaemon(true);
            return thread;
        }
    }
}

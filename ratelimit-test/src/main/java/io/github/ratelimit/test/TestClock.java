package io.github.ratelimit.test;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A clock moved by hand: nothing waits for a window in a test. Safe for concurrent use.
 *
 * <p>Its calendar can be set apart from the time that passes, as people and machines do to real ones. Scheduled tasks run when the clock
 * reaches their moment: on the thread that moves it, before {@link #advance} returns.
 */
public final class TestClock implements TimeSource {

    /** A task and when it is due, in nanoseconds since the clock was made; of one moment, the first come is the first served. */
    private record Task(long due, long number, FutureTask<?> task) {}

    /** Overflows after a second: who compares moments by size is found out. */
    private static final long START = Long.MAX_VALUE - 1_000_000_000L;

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));
    private final Queue<FutureTask<?>> immediate = new ConcurrentLinkedQueue<>();
    private long passed;
    private long taken;
    private Instant calendar;

    /** Starts in the middle of a second of 2026. */
    public TestClock() {
        this(Instant.parse("2026-11-20T10:00:00.250Z"));
    }

    /** Starts at a moment of the calendar. */
    public TestClock(Instant calendar) {
        this.calendar = calendar;
    }

    /**
     * Lets time pass, and runs the tasks that are due, each at its moment and in order. When this returns, all of them have run.
     *
     * @param duration 0 or more
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "time only goes forward, was to advance by " + duration + "; setCalendar jumps");
        }
        long end;
        synchronized (this) {
            end = passed + duration.toNanos();
        }
        runImmediate();
        for (Runnable task = nextUntil(end); task != null; task = nextUntil(end)) {
            task.run(); // not while the clock is locked: it reads the clock, and may wait for somebody who does
            runImmediate();
        }
    }

    /** Runs the tasks without delay that no other thread has begun, and waits for the others. */
    private void runImmediate() {
        for (FutureTask<?> task = immediate.poll(); task != null; task = immediate.poll()) {
            task.run();
            try {
                task.get();
            } catch (ExecutionException | CancellationException e) {
                // the task's own affair, as on any other thread
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Moves to the next task's moment and takes the task; or moves to the end, where none is due until then. */
    private synchronized @Nullable Runnable nextUntil(long end) {
        Task next = tasks.peek();
        boolean due = next != null && next.due <= end;
        long to = Math.max(passed, due ? next.due : end);
        calendar = calendar.plusNanos(to - passed);
        passed = to;
        if (!due) {
            return null;
        }
        tasks.remove();
        return next.task;
    }

    /** Sets the calendar forward or back. No time passes. */
    public synchronized void setCalendar(Instant calendar) {
        this.calendar = calendar;
    }

    /** How many tasks wait for their moment; a cancelled one does not. */
    public synchronized int waiting() {
        tasks.removeIf(task -> task.task.isCancelled());
        return tasks.size();
    }

    @Override
    public synchronized long nanoTime() {
        return START + passed;
    }

    @Override
    public synchronized Instant instant() {
        return calendar;
    }

    /**
     * Keeps a task until the clock is moved to its moment. A task without delay runs at once on another thread, because the caller may hold
     * a lock that the task needs.
     */
    @Override
    public Future<?> runAfter(long nanos, Runnable task) {
        FutureTask<?> future = new FutureTask<>(task, null);
        if (nanos <= 0) {
            immediate.removeIf(FutureTask::isDone);
            immediate.add(future);
            ForkJoinPool.commonPool().execute(future);
            return future;
        }
        synchronized (this) {
            tasks.add(new Task(passed + nanos, taken++, future));
        }
        return future;
    }
}

package io.github.ratelimit.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do the same thing at the same time, round after round: they meet at a barrier before each. A thread that misses
 * the deadline fails the test: a deadlock is a failure, not a build that hangs.
 */
final class Together {

    /** The work of one thread in one round. */
    @FunctionalInterface
    interface Turn<T> {
        T take(int thread, int round) throws Exception;
    }

    /** The work while all threads wait, before a round or after it. */
    @FunctionalInterface
    interface Round<T> {
        void run(int round, List<T> results) throws Exception;
    }

    private Together() {}

    /**
     * Runs the rounds.
     *
     * @param before runs before each round, with no results, while no thread does anything
     * @param after runs after each round, with what its threads brought, by thread
     */
    static <T> void run(Duration deadline, int threads, int rounds, Round<T> before, Turn<T> turn, Round<T> after) {
        List<@Nullable T> slots = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            slots.add(null);
        }
        int[] round = {0};
        CyclicBarrier barrier = new CyclicBarrier(threads, () -> between(round, rounds, slots, before, after));
        AtomicInteger awake = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(threads, Together::daemon);
        try {
            ExecutorCompletionService<Boolean> done = new ExecutorCompletionService<>(executor);
            for (int i = 0; i < threads; i++) {
                int thread = i;
                done.submit(() -> {
                    for (int r = 0; r < rounds; r++) {
                        barrier.await();
                        startTogether(awake, threads * (r + 1));
                        slots.set(thread, turn.take(thread, r));
                    }
                    barrier.await();
                    return true;
                });
            }
            await(deadline, threads, executor, done);
        } finally {
            executor.shutdownNow();
        }
    }

    /** The barrier wakes one after the other, and the first is done before the last begins: so they wait for each other once more. */
    @SuppressWarnings("ThreadPriorityCheck") // there are more threads than processors
    private static void startTogether(AtomicInteger awake, int all) {
        awake.incrementAndGet();
        while (awake.get() < all && !Thread.currentThread().isInterrupted()) {
            Thread.yield();
        }
    }

    private static <T> void between(int[] round, int rounds, List<@Nullable T> slots, Round<T> before, Round<T> after) {
        try {
            if (round[0] > 0) {
                List<T> results = new ArrayList<>();
                for (T slot : slots) {
                    if (slot != null) {
                        results.add(slot);
                    }
                }
                after.run(round[0] - 1, results);
            }
            if (round[0] < rounds) {
                before.run(round[0], List.of());
            }
            round[0]++;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first failure that is not only the others' end: one failure ends all threads. */
    private static void await(
            Duration deadline, int threads, ExecutorService executor, ExecutorCompletionService<Boolean> done) {
        long end = System.nanoTime() + deadline.toNanos();
        Throwable failure = null;
        try {
            for (int i = 0; i < threads; i++) {
                Future<Boolean> one = done.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (one == null) {
                    break;
                }
                Throwable cause = failure(one);
                if (cause != null) {
                    boolean first = failure == null || isOthersEnd(failure);
                    failure = first ? cause : failure;
                    executor.shutdownNow();
                    end = Math.min(end, System.nanoTime() + 1_000_000_000);
                } else if (i == threads - 1 && failure == null) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (failure instanceof AssertionError error) {
            throw error;
        }
        throw failure == null
                ? new AssertionError("threads were not done within " + deadline + ": they wait for each other")
                : new AssertionError("a thread failed: " + failure, failure);
    }

    private static @Nullable Throwable failure(Future<Boolean> one) throws InterruptedException {
        try {
            one.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    private static boolean isOthersEnd(Throwable failure) {
        return failure instanceof BrokenBarrierException || failure instanceof InterruptedException;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "together");
        thread.setDaemon(true);
        return thread;
    }
}

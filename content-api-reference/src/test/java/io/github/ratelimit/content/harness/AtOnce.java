package io.github.ratelimit.content.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Work of many threads that begins at one moment. */
public final class AtOnce {

    private AtOnce() {}

    /** Runs each task on a thread of its own, and returns the results in the order of the tasks. */
    public static <T> List<T> run(List<? extends Callable<T>> tasks) {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            CountDownLatch ready = new CountDownLatch(tasks.size());
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> task : tasks) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : running) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs so many tasks, each by its number from 0 on. */
    public static <T> List<T> run(int tasks, Numbered<T> task) {
        return run(IntStream.range(0, tasks)
                .mapToObj(number -> (Callable<T>) () -> task.call(number))
                .toList());
    }

    /** A task that knows its number. */
    @FunctionalInterface
    public interface Numbered<T> {
        /** Does the task of this number. */
        T call(int number) throws Exception;
    }
}

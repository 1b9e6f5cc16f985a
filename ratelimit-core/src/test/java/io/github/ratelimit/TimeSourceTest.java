package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeSourceTest {

    private final TimeSource time = TimeSource.system();

    @Test
    void systemsClocksAreTheMachines() {
        long nanos = System.nanoTime();
        Instant instant = Instant.now();
        long millis = System.currentTimeMillis();
        assertThat(time.nanoTime() - nanos).isBetween(0L, TimeUnit.MINUTES.toNanos(1));
        assertThat(time.instant()).isBetween(instant, instant.plusSeconds(60));
        assertThat(time.millis()).isBetween(millis, millis + 60_000);
    }

    @Test
    void laterIsNotBeforeItsTimeAndOnAnotherThread() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        long start = System.nanoTime();
        time.runAfter(2_000_000, () -> ran.complete(Thread.currentThread()));
        assertThat(ran.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
    }

    /** The application may block its common pool, and what runs after a delay. */
    @Test
    void tasksThatBlockDelayNoOther() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Runnable blocks = () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        for (int i = 0; i < 4 * ForkJoinPool.getCommonPoolParallelism() + 4; i++) {
            ForkJoinPool.commonPool().execute(blocks);
            time.runAfter(0, blocks);
        }
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        time.runAfter(1, () -> ran.complete(Thread.currentThread()));
        try {
            Thread thread = ran.get(30, TimeUnit.SECONDS);
            assertThat(thread.getName()).startsWith("ratelimit-timer-");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getContextClassLoader()).isNull();
        } finally {
            end.countDown();
        }
    }

    @Test
    void timerInheritsNothingOfItsCallerAndForgetsCancelledTasks() throws Exception {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        user.set("ann");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        byte[] held = new byte[1];
        WeakReference<byte[]> task = new WeakReference<>(held);
        try (URLClassLoader application = new URLClassLoader(new URL[0])) {
            Thread.currentThread().setContextClassLoader(application);
            time.runAfter(TimeUnit.DAYS.toNanos(1), keep(held)).cancel(false);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            user.remove();
        }
        held = null;
        System.gc();
        assertThat(task.get()).isNull();
        Thread timer = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ratelimit-timer"))
                .findAny()
                .orElseThrow();
        assertThat(timer.getContextClassLoader()).isNull();
        assertThat(timer.isDaemon()).isTrue();
    }

    private static Runnable keep(byte[] held) {
        return () -> held[0]++;
    }
}

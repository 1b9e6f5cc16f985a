package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread works, and all who wait have what it brings. */
final class CatchUpTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CatchUp catchUp = new CatchUp();
    private volatile int there;
    private volatile int shown;
    private final AtomicInteger steps = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void whatOneBringsServesAllWhoWait() throws InterruptedException {
        var atWork = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        there = 1;
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(
                () -> catchUp.until(LONG, () -> shown >= 1, () -> {
                    int seen = there;
                    atWork.countDown();
                    awaitQuietly(goOn);
                    steps.incrementAndGet();
                    shown = seen;
                }),
                threads);
        atWork.await();
        there = 7;
        List<CompletableFuture<Boolean>> others = IntStream.range(0, 50)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> catchUp.until(LONG, () -> shown >= 7, () -> {
                            steps.incrementAndGet();
                            shown = there;
                        }),
                        threads))
                .toList();

        assertThat(catchUp.until(Duration.ZERO, () -> shown >= 1, () -> {}))
                .as("no patience, no wait")
                .isFalse();
        goOn.countDown();

        assertThat(first.join()).isTrue();
        assertThat(others).allSatisfy(other -> assertThat(other.join()).isTrue());
        assertThat(steps).as("one look for all of them").hasValue(2);
        assertThat(catchUp.until(LONG, () -> shown >= 7, steps::incrementAndGet))
                .isTrue();
        assertThat(steps).hasValue(2);
    }

    @Test
    void anotherOneTriesWhereOneFailed() {
        assertThatThrownBy(() -> catchUp.until(LONG, () -> shown >= 1, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(catchUp.until(Duration.ZERO, () -> shown >= 1, () -> shown = 1))
                .isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

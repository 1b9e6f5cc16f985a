package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left of a store that is closed: no decision, no thread and no connection. */
class ClosedStoreTest {

    private static final Limit LIMIT = Limit.of("only", 1000, Duration.ofHours(1));

    private RedisProcess process;
    private RedisTestBed bed;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        bed = RedisTestBed.of(process);
    }

    @AfterEach
    void stop() {
        bed.close();
        process.close();
    }

    private RedisStore store() {
        return RedisStore.builder()
                .uri(process.uri())
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    /** It decided by policy, in silence, for ever. */
    @Test
    void storeThatIsClosedSaysSo() {
        RedisStore store = store();
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
        Decision taken = limiter.tryAcquire("client");
        assertThat(taken.source()).isEqualTo(Source.STORE);
        store.close();
        store.close();

        List<Runnable> uses = List.of(
                () -> limiter.tryAcquire("client"),
                () -> limiter.tryAcquireAsync("client"),
                () -> limiter.refund(taken),
                () -> limiter.reset("client"));
        for (Runnable use : uses) {
            assertThatIllegalStateException()
                    .isThrownBy(use::run)
                    .withMessageContaining(process.uri().replace("redis://", ""))
                    .withMessageContaining("was closed");
        }
    }

    @Test
    void requestsThatWaitWhenTheStoreIsClosedAreAnsweredAtOnce() {
        RedisStore store = store();
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
        assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.STORE);
        process.pause();
        List<CompletableFuture<Decision>> waiting = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waiting.add(limiter.tryAcquireAsync("client-" + i % 10).toCompletableFuture());
        }
        long start = System.nanoTime();
        store.close();
        waiting.forEach(each -> assertThat(each.join().source()).isEqualTo(Source.NONE));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        process.resume();
    }

    /** {@code -Dfull} closes ten times as many. */
    @Test
    void storeThatIsClosedAtAnyMomentLeavesNoThreadAndNoConnection() {
        int stores = Boolean.getBoolean("full") ? 400 : 40;
        Set<Thread> before = threads();
        for (int i = 0; i < stores; i++) {
            RedisStore store = store();
            long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(30_000_000);
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            if (i % 2 == 0) {
                var unused = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT).tryAcquireAsync("client");
            }
            store.close();
        }
        awaitEmpty(
                "connections left",
                () -> bed.server()
                        .clientList()
                        .lines()
                        .filter(client -> !client.contains("cmd=client|list"))
                        .toList());
        awaitEmpty(
                "threads left",
                () -> threads().stream()
                        .filter(thread -> !before.contains(thread))
                        .map(Thread::getName)
                        .toList());
    }

    /** Of stores and their clients; the test's own client has some. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratelimit-redis")
                        || thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }

    /** Waits until nothing is left. */
    private static void awaitEmpty(String what, Supplier<List<String>> left) {
        long end = System.nanoTime() + Duration.ofSeconds(45).toNanos();
        while (!left.get().isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(left.get()).as(what).isEmpty();
    }
}

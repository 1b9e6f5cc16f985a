package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores that take permits ahead, as nodes of one service: not one permit too many, and soon not one too few. */
public abstract class PermitsAheadContract {

    /** Chosen: together with the threads, enough that calls bring several requests. */
    private static final int THREADS = 8;

    private static final int PERMITS = 20_000;

    /** For subclasses. */
    protected PermitsAheadContract() {}

    /** A store that takes permits of the limiter {@code hot} ahead and remembers no rejection. */
    protected abstract Store node();

    /** How many of its decisions needed no call. */
    protected abstract long servedAhead(Store node);

    /** Lets time pass on the server. */
    protected abstract void advance(Duration duration);

    /** The charges of one request: all windows begin together. */
    private static List<Charge> charges(int limits) {
        Key key = Key.of(UUID.randomUUID().toString());
        return IntStream.range(0, limits)
                .mapToObj(i -> new Charge("hot", Limit.of("limit-" + i, PERMITS * (i + 1L), Duration.ofHours(1)), key))
                .toList();
    }

    private static void ask(Store node, List<Charge> charges, int rejections, Map<Instant, Long> granted) {
        for (int rejected = 0; rejected < rejections; ) {
            Decision decision = node.tryAcquire(charges);
            if (decision.allowed()) {
                granted.merge(decision.statuses().get(0).resetAt(), 1L, Long::sum);
            } else {
                rejected++;
            }
        }
    }

    private static void askTogether(List<Store> nodes, List<Charge> charges, Map<Instant, Long> granted)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS * nodes.size());
        try {
            List<Future<?>> asking = new ArrayList<>();
            for (int i = 0; i < THREADS * nodes.size(); i++) {
                Store node = nodes.get(i % nodes.size());
                asking.add(threads.submit(() -> ask(node, charges, 20, granted)));
            }
            for (Future<?> each : asking) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Nodes and limits. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 3", "8, 1"})
    void nodesShareTheLimitExactly(int count, int limits) throws Exception {
        List<Store> nodes = IntStream.range(0, count).mapToObj(i -> node()).toList();
        try {
            List<Charge> charges = charges(limits);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            askTogether(nodes, charges, granted);
            assertThat(granted).hasSize(1);
            assertThat(granted.values()).allMatch(all -> all <= PERMITS);

            Store node = nodes.get(0); // others give back what they hold
            long end = node.time().nanoTime() + Duration.ofSeconds(20).toNanos();
            while (granted.values().iterator().next() < PERMITS && node.time().nanoTime() - end < 0) {
                ask(node, charges, 1, granted);
            }
            assertThat(granted.values()).containsExactly((long) PERMITS);
            assertThat(nodes.stream().mapToLong(this::servedAhead).sum()).isGreaterThan(PERMITS / 10);
        } finally {
            nodes.forEach(Store::close);
        }
    }

    @Test
    void windowsThatEndWhilePermitsAreHeldGrantNoneTooMany() throws Exception {
        List<Store> nodes = List.of(node(), node());
        try {
            List<Charge> charges = charges(1);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            for (int window = 0; window < 5; window++) {
                askTogether(nodes, charges, granted);
                advance(Duration.ofHours(1));
            }
            assertThat(granted.values()).allMatch(all -> all <= PERMITS);
            assertThat(granted).hasSizeGreaterThanOrEqualTo(5);
        } finally {
            nodes.forEach(Store::close);
        }
    }

    @Test
    void refundAndResetEndWhatIsHeld() throws Exception {
        try (Store node = node()) {
            List<Charge> charges = charges(1);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            askTogether(List.of(node), charges, granted);
            node.resetAsync(charges).get();
            long used = PERMITS - remaining(node, charges);
            assertThat(used).isZero();

            Decision decision = node.tryAcquire(charges);
            node.refundAsync(decision).get();
            assertThat(remaining(node, charges)).isEqualTo(PERMITS);
        }
    }

    private static long remaining(Store node, List<Charge> charges) {
        return node.tryAcquire(StoreContract.costing(charges, 0))
                .statuses()
                .get(0)
                .remaining();
    }
}

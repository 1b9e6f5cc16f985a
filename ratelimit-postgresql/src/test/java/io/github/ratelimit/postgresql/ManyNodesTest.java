package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.contract.HoldFaultContract;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several nodes at once: exact, and no deadlock. */
class ManyNodesTest {

    private static final boolean FULL = Boolean.getBoolean("full");
    private static final int NODES = 3;
    private static final int DECISIONS = FULL ? 1_000_000 : 30_000;
    private static final int MOST_PENDING = 300;
    private static final Duration UNSORTED = FULL ? Duration.ofMinutes(2) : Duration.ofSeconds(5);

    private final PostgresServer server = PostgresServer.shared();

    private PostgresStore node(String schema) {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(schema)
                .timeout(Duration.ofSeconds(30))
                .rememberRejections(Duration.ZERO) // every one is the server's
                .build();
    }

    private static Charge charge(String limit, long permits, int client) {
        return new Charge("api", Limit.of(limit, permits, Duration.ofHours(1)), Key.of("client-" + client));
    }

    @Test
    void nodesShareExactlyThePermitsOfEachKey() {
        server.createSchema("nodes");
        int clients = 20;
        long permits = DECISIONS / clients / 2;
        AtomicLongArray allowed = new AtomicLongArray(clients);
        List<PostgresStore> nodes =
                IntStream.range(0, NODES).mapToObj(i -> node("nodes")).toList();
        try {
            Random random = new Random(1);
            Semaphore pending = new Semaphore(MOST_PENDING);
            for (int i = 0; i < DECISIONS; i++) {
                int client = random.nextInt(clients);
                pending.acquireUninterruptibly();
                nodes.get(i % NODES)
                        .tryAcquireAsync(List.of(charge("only", permits, client), charge("wide", 1L << 40, client)))
                        .whenComplete((decision, failure) -> {
                            allowed.addAndGet(client, failure == null && decision.allowed() ? 1 : 0);
                            pending.release();
                        });
            }
            pending.acquireUninterruptibly(MOST_PENDING);
            for (int client = 0; client < clients; client++) {
                assertThat(allowed.get(client)).isEqualTo(permits);
                assertThat(used(nodes.get(0), charge("wide", 1L << 40, client)))
                        .as("a rejection takes from no limit")
                        .isEqualTo(permits);
            }
        } finally {
            nodes.forEach(PostgresStore::close);
        }
    }

    @Test
    void nodesThatAreClosedWhileTheyHoldTakeNoPermitForGood() throws InterruptedException {
        TestClock clock = new TestClock();
        MovedTime time = new MovedTime(server, "held");
        time.begin(clock);
        List<PostgresStore> nodes =
                IntStream.range(0, 4).mapToObj(i -> time.store(clock).build()).toList();
        Limit limit = Limit.concurrent("jobs", 5, Duration.ofHours(1));
        HoldFaultContract.assertEndedNodesTakeNoPermitForGood(
                nodes, new Charge("jobs", limit, Key.of("tenant")), 0, time::advance);
    }

    private static long used(PostgresStore store, Charge charge) {
        Decision look = store.tryAcquire(List.of(charge.withCost(0)));
        return charge.limit().permits() - look.statuses().get(0).remaining();
    }

    /** Each request has keys that are kept and one that somebody deletes all the time, in an order of its own. */
    @Test
    void keysInAnyOrderBesideDeletionsNeverDeadlock() {
        server.createSchema("unsorted");
        long deadlocks = deadlocks();
        int clients = 40;
        AtomicLongArray allowed = new AtomicLongArray(clients);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<PostgresStore> nodes =
                IntStream.range(0, NODES).mapToObj(i -> node("unsorted")).toList();
        try {
            String deleted = nodes
                    .get(0)
                    .keys(IntStream.range(0, clients)
                            .mapToObj(client -> charge("deleted", 1L << 40, client))
                            .toList())
                    .stream()
                    .map("'%s'"::formatted)
                    .collect(Collectors.joining(","));
            Random random = new Random(2);
            Semaphore pending = new Semaphore(MOST_PENDING);
            long end = System.nanoTime() + UNSORTED.toNanos();
            for (int i = 0; System.nanoTime() - end < 0; i++) {
                int one = random.nextInt(clients);
                int other = (one + 1 + random.nextInt(clients - 1)) % clients;
                List<Charge> charges = new ArrayList<>(List.of(
                        charge("kept", 1L << 40, one),
                        charge("kept", 1L << 40, other),
                        charge("deleted", 1L << 40, random.nextInt(clients))));
                Collections.shuffle(charges, random);
                pending.acquireUninterruptibly();
                CompletableFuture<Decision> decision = nodes.get(i % NODES).tryAcquireAsync(charges);
                decision.whenComplete((done, failure) -> {
                    if (failure == null) {
                        allowed.incrementAndGet(one);
                        allowed.incrementAndGet(other);
                    } else {
                        failures.add(failure);
                    }
                    pending.release();
                });
                if (i % 100 == 0) {
                    server.run(("DELETE FROM unsorted.counter WHERE key IN (SELECT key FROM unsorted.counter"
                                    + " WHERE key IN (%s) ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED)")
                            .formatted(deleted));
                }
            }
            pending.acquireUninterruptibly(MOST_PENDING);
            assertThat(failures).isEmpty();
            for (int client = 0; client < clients; client++) {
                assertThat(used(nodes.get(0), charge("kept", 1L << 40, client))).isEqualTo(allowed.get(client));
            }
        } finally {
            nodes.forEach(PostgresStore::close);
        }
        assertThat(deadlocks()).isEqualTo(deadlocks);
    }

    private long deadlocks() {
        return server.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }
}

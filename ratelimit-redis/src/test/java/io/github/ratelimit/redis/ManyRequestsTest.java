package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many requests at once, and many after each other: calls stay short, and nothing of what is done stays. */
class ManyRequestsTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));

    /** As many as the documents name. */
    private static final int DECISIONS_PER_CALL = 128;

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

    private static RedisStore connected(String uri, Duration timeout) {
        RedisStore store = RedisStore.builder().uri(uri).timeout(timeout).build();
        store.tryAcquire(charges("first"));
        return store;
    }

    private static List<Charge> charges(String client) {
        return List.of(new Charge("api", LIMIT, Key.of("tenant").and(Key.of(client))));
    }

    /** They were 5 calls, the slowest of which held the server for 342 ms. */
    @Test
    void requestsBehindOneFirstKeyPartAreManyShortCalls() {
        int requests = 12_000;
        bed.server().configSet("slowlog-log-slower-than", "0");
        bed.server().configSet("slowlog-max-len", "200000"); // what scripts run is noted as well
        try (RedisStore store = connected(process.uri(), Duration.ofMinutes(1))) {
            bed.server().slowlogReset();
            bed.resetCommandCounts();
            List<CompletableFuture<Decision>> decisions = IntStream.range(0, requests)
                    .mapToObj(i -> store.tryAcquireAsync(charges("client-" + i)).toCompletableFuture())
                    .toList();
            decisions.forEach(decision -> assertThat(decision.join().allowed()).isTrue());

            List<Integer> keysOfCalls = keysOfScriptCalls();
            assertThat(keysOfCalls).isNotEmpty().allMatch(keys -> keys <= DECISIONS_PER_CALL);
            assertThat(store.statistics().total().decisions()).isEqualTo(requests + 1);
            assertThat(bed.scriptCalls()).as("and they travel together").isLessThan(requests / 2);
        }
    }

    /** How many keys each call had since the log was emptied, as the server noted them: all are different here. */
    private List<Integer> keysOfScriptCalls() {
        List<Integer> keys = new ArrayList<>();
        for (Object entry : bed.server().slowlogGet(200_000)) {
            List<?> arguments = (List<?>) ((List<?>) entry).get(3);
            if (String.valueOf(arguments.get(0))
                    .toLowerCase(java.util.Locale.ROOT)
                    .startsWith("eval")) {
                keys.add(Integer.parseInt(String.valueOf(arguments.get(2))));
            }
        }
        return keys;
    }

    /** 248,000 decisions kept 157 MB for the length of the timeout. {@code -Dfull} makes as many. */
    @Test
    void decisionsThatAreDoneAreNotKeptUntilTheirDeadline() {
        int requests = Boolean.getBoolean("full") ? 248_000 : 20_000;
        try (RedisStore store = connected(process.uri(), Duration.ofMinutes(1))) {
            List<WeakReference<Object>> done = new ArrayList<>();
            for (int i = 0; i < requests / 1000; i++) {
                List<CompletableFuture<Decision>> decisions = IntStream.range(0, 1000)
                        .mapToObj(n ->
                                store.tryAcquireAsync(charges("client-" + n)).toCompletableFuture())
                        .toList();
                decisions.forEach(decision -> done.add(new WeakReference<>(decision.join())));
                decisions.forEach(decision -> done.add(new WeakReference<>(decision)));
            }
            assertFewAreKept(done);
        }
    }

    /** What waits for an answer that does not come is no reason to keep what is done. */
    @Test
    void decisionsThatAreDoneAreNotKeptBehindOneThatIsNot() {
        try (FaultProxy proxy = new FaultProxy(process.port(), 0);
                RedisStore store = connected(proxy.uri("redis"), Duration.ofMinutes(1))) {
            proxy.set(Fault.HOLD);
            CompletableFuture<Decision> waiting =
                    store.tryAcquireAsync(charges("waiting")).toCompletableFuture();
            List<WeakReference<Object>> done = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                CompletableFuture<Decision> cancelled =
                        store.tryAcquireAsync(charges("client-" + i)).toCompletableFuture();
                cancelled.cancel(false);
                done.add(new WeakReference<>(cancelled));
            }
            assertThat(waiting).isNotDone();
            RedisProcess.await(
                    "only what is on its way is kept", () -> store.statistics().pending() < 100);
            proxy.set(Fault.PASS);
            assertThat(waiting.join().allowed()).isTrue();
            assertFewAreKept(done);
        }
    }

    /** Of what nobody else refers to. */
    private static void assertFewAreKept(List<WeakReference<Object>> done) {
        for (int i = 0; i < 20 && kept(done) > done.size() / 50; i++) {
            System.gc();
        }
        assertThat(kept(done)).as("kept of %d", done.size()).isLessThanOrEqualTo(done.size() / 50);
    }

    private static long kept(List<WeakReference<Object>> done) {
        return done.stream().filter(reference -> reference.get() != null).count();
    }
}

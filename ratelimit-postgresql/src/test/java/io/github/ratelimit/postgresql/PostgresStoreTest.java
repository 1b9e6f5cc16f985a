package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is particular to the store on PostgreSQL. */
class PostgresStoreTest {

    private final PostgresServer server = PostgresServer.shared();

    private static List<Charge> charges(String client, long permits, Duration window) {
        return List.of(new Charge("api", Limit.of("only", permits, window), Key.of(client)));
    }

    @Test
    void mistakesOfTheBuilderNameTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresStore.builder().build())
                .withMessage("a store on PostgreSQL needs a data source: call dataSource(…)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresStore.builder().schema("a; DROP"))
                .withMessage("schema must be up to 63 lower-case letters, digits and underscores, was 'a; DROP'");
    }

    @Test
    void rejectionWritesNothing() {
        server.createSchema("single");
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema("single")
                .timeout(Duration.ofSeconds(30))
                .rememberRejections(Duration.ZERO)
                .build()) {
            List<Charge> charges = charges("somebody", 1, Duration.ofHours(1));
            String row = "SELECT ctid FROM single.counter WHERE key = '%s'"
                    .formatted(store.keys(charges).get(0));
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
            String before = server.text(row);
            for (int i = 0; i < 10; i++) {
                assertThat(store.tryAcquire(charges).allowed()).isFalse();
            }
            assertThat(server.text(row)).isEqualTo(before);
        }
    }

    /** More than one round of the clean-up, beside a counter that is still open. */
    @Test
    void cleanUpDeletesWhatIsOverAndNothingElse() {
        MovedTime time = new MovedTime(server, "cleaned");
        TestClock clock = new TestClock();
        time.begin(clock);
        try (PostgresStore store = time.store(clock).build()) {
            store.tryAcquire(charges("open", 5, Duration.ofDays(1)));
            IntStream.range(0, 3000)
                    .mapToObj(i -> store.tryAcquireAsync(charges("client-" + i, 5, Duration.ofMinutes(1))))
                    .toList()
                    .forEach(java.util.concurrent.CompletableFuture::join);
            time.advance(Duration.ofMinutes(3));
            long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (server.number("SELECT count(*) FROM cleaned.counter") > 3) { // with the probe's and the progress
                assertThat(System.nanoTime() - end).isNegative();
                server.run("UPDATE cleaned.moved SET millis = millis + 20");
            }
            Decision look = store.tryAcquire(charges("open", 5, Duration.ofDays(1)));
            assertThat(look.statuses().get(0).remaining()).isEqualTo(3);
        }
    }

    @Test
    void oneNodeCleansUpAtATime() {
        server.createSchema("turns");
        server.run("SELECT turns.clean_up(10)");
        assertThat(server.number("SELECT turns.clean_up(10)"))
                .as("a pass over an empty table is followed by a rest")
                .isEqualTo(10_000);
        assertThat(server.number("SELECT turns.clean_up(10)")).isBetween(1L, 10_000L);
    }
}

package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            store.tryAcquire(charges("soon over", 5, Duration.ofHours(1)));
            IntStream.range(0, 3000)
                    .mapToObj(i -> store.tryAcquireAsync(charges("client-" + i, 5, Duration.ofMinutes(1))))
                    .toList()
                    .forEach(CompletableFuture::join);
            time.advance(Duration.ofMinutes(3));
            long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (server.number("SELECT count(*) FROM cleaned.counter") > 4) { // with the probe's and the progress
                assertThat(System.nanoTime() - end).isNegative();
                server.run("UPDATE cleaned.moved SET millis = millis + 20");
            }
            for (Decision look : List.of(
                    store.tryAcquire(charges("open", 5, Duration.ofDays(1))),
                    store.tryAcquire(charges("soon over", 5, Duration.ofHours(1))))) {
                assertThat(look.statuses().get(0).remaining()).isEqualTo(3);
            }
        }
    }

    /** The only connection is never free: the next call begins where one ends. */
    @Test
    void busyNodeCleansUpToo() {
        server.createSchema("busy");
        server.run("""
                CREATE FUNCTION busy.take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
                CREATE TRIGGER takes_long AFTER UPDATE ON busy.counter FOR EACH STATEMENT EXECUTE FUNCTION busy.take_long();
                """);
        AtomicBoolean ends = new AtomicBoolean();
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema("busy")
                .timeout(Duration.ofSeconds(30))
                .lines(1)
                .build()) {
            List<CompletableFuture<Void>> callers = IntStream.range(0, 64)
                    .mapToObj(i -> asksAgain(store, charges("client-" + i, 1L << 40, Duration.ofMinutes(1)), ends))
                    .toList();
            String cleanedUp = "SELECT count(*) FROM busy.counter WHERE key::text LIKE '00000000-%-000000000000'";
            LockSupport.parkNanos(500_000_000); // the round that a new connection begins with
            server.run("DELETE FROM busy.counter WHERE key = '00000000-0000-0000-0000-000000000000'");
            await("a round has begun", () -> server.number(cleanedUp) == 1);
            ends.set(true);
            callers.forEach(CompletableFuture::join);
        }
    }

    private static CompletableFuture<Void> asksAgain(PostgresStore store, List<Charge> charges, AtomicBoolean ends) {
        return store.tryAcquireAsync(charges)
                .thenComposeAsync(
                        done -> ends.get() ? CompletableFuture.completedFuture(null) : asksAgain(store, charges, ends));
    }

    @Test
    void oneNodeCleansUpAtATime() {
        server.createSchema("turns");
        server.run("SELECT turns.clean_up_2(10)");
        assertThat(server.number("SELECT turns.clean_up_2(60000)")) // a pass may take its time
                .as("a pass over an empty table is followed by a rest")
                .isEqualTo(10_000);
        assertThat(server.number("SELECT turns.clean_up_2(10)")).isBetween(1L, 10_000L);
    }

    /** A machine whose calendar is wrong. */
    private record WrongClock(Duration ahead) implements TimeSource {

        @Override
        public long nanoTime() {
            return TimeSource.system().nanoTime();
        }

        @Override
        public Instant instant() {
            return TimeSource.system().instant().plus(ahead);
        }
    }

    private List<LimitStatus> statuses(Duration ahead, List<Charge> charges) {
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema("clocks")
                .timeout(Duration.ofSeconds(30))
                .rememberRejections(Duration.ZERO)
                .time(new WrongClock(ahead))
                .build()) {
            return IntStream.range(0, 3)
                    .mapToObj(i -> store.tryAcquire(charges).statuses().get(0))
                    .toList();
        }
    }

    private Instant nextMidnight() {
        String midnight = "SELECT extract(epoch FROM date_trunc('day', clock_timestamp(), 'UTC'))::bigint + 86400";
        return Instant.ofEpochSecond(server.number(midnight));
    }

    /** Nodes whose clocks are an hour and a day off share one window and one day. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyTheServersClockDecides(boolean daily) {
        server.createSchema("clocks");
        Limit limit = daily ? Limit.daily("only", 100, ZoneOffset.UTC) : Limit.of("only", 100, Duration.ofHours(2));
        List<Charge> charges = List.of(new Charge("api", limit, Key.of("somebody")));
        Instant before = nextMidnight();
        List<LimitStatus> all = Stream.of(0, 1, -1, 30, -30)
                .flatMap(hours -> statuses(Duration.ofHours(hours), charges).stream())
                .toList();
        if (!before.equals(nextMidnight())) {
            return; // midnight has passed meanwhile, and with it the day
        }
        assertThat(all)
                .extracting(LimitStatus::remaining)
                .isEqualTo(LongStream.range(0, 15).mapToObj(i -> 99 - i).toList());
        if (daily) {
            assertThat(all).extracting(LimitStatus::resetAt).containsOnly(before);
        } else {
            assertThat(all)
                    .extracting(LimitStatus::resetAfter)
                    .allSatisfy(left -> assertThat(left).isBetween(Duration.ZERO, Duration.ofHours(2)));
        }
    }

    static List<Limit> limitsOfEachShape() {
        Duration minute = Duration.ofMinutes(1);
        return List.of(
                Limit.of("only", 2, minute),
                Limit.of("only", 2, minute).bucket(2),
                Limit.of("only", 2, minute).sliding(),
                Limit.of("only", 2, minute).blocking(minute),
                Limit.of("only", 2, Duration.ofHours(1)).blocking(minute),
                Limit.daily("only", 2, ZoneOffset.UTC),
                Limit.concurrent("only", 2, minute));
    }

    /** By three days. */
    @ParameterizedTest
    @MethodSource("limitsOfEachShape")
    void noWindowHasMoreLeftThanItsLengthWhereTheServersClockIsSetBack(Limit limit) {
        MovedTime time = new MovedTime(server, "back");
        TestClock clock = new TestClock();
        time.begin(clock);
        List<Charge> charges = List.of(new Charge("api", limit, Key.of("somebody")));
        Duration longest = limit.shape().calendar() == null ? Duration.ofMinutes(1) : Duration.ofDays(1);
        try (PostgresStore store =
                time.store(clock).rememberRejections(Duration.ZERO).build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(store.tryAcquire(charges).allowed()).isEqualTo(i < 2);
            }
            time.advance(Duration.ofDays(-3));
            assertThat(store.tryAcquire(charges).allowed()).isFalse(); // and the node learns the server's time
            Decision rejected = store.tryAcquire(charges);
            LimitStatus status = rejected.statuses().get(0);
            assertThat(rejected.allowed()).isFalse();
            assertThat(status.resetAfter())
                    .isLessThanOrEqualTo(longest.multipliedBy(4).dividedBy(3));
            assertThat(status.retryAfter().orElseThrow()).isLessThanOrEqualTo(status.resetAfter());
            time.advance(status.resetAfter());
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
        }
    }

    /** No row is locked, no transaction gets a number, and nothing is logged. */
    @Test
    void rejectionsWriteNothing() {
        server.createSchema("unwritten");
        String transactions = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
        List<Charge> one = List.of(new Charge("api", Limit.of(1, Duration.ofHours(1)), Key.of("somebody")));
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema("unwritten")
                .rememberRejections(Duration.ZERO)
                .timeout(Duration.ofSeconds(20))
                .build()) {
            assertThat(store.tryAcquire(one).allowed()).isTrue();
            long before = server.number(transactions);
            for (int i = 0; i < 1_000; i++) {
                assertThat(store.tryAcquire(one).allowed()).isFalse();
            }
            assertThat(server.number(transactions) - before)
                    .as("those of the clean-up and the probes alone")
                    .isLessThan(100);
        }
    }

    /** The pool's ten connections: two for the store, and eight for the application, whose settings are its own. */
    @Test
    void poolKeepsTheOtherConnectionsForTheApplication() throws SQLException {
        server.createSchema("pooled");
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(10);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            PostgresStore store = PostgresStore.builder()
                    .dataSource(pool)
                    .schema("pooled")
                    .timeout(Duration.ofSeconds(30))
                    .build();
            List<Connection> applications = new ArrayList<>();
            try (store) {
                for (int i = 0; i < 8; i++) {
                    Connection one = pool.getConnection();
                    one.setAutoCommit(false); // a transaction of the application's, which is open meanwhile
                    applications.add(one);
                }
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(10);
                IntStream.range(0, 1000)
                        .mapToObj(i -> store.tryAcquireAsync(charges("client-" + i, 5, Duration.ofMinutes(1))))
                        .toList()
                        .forEach(decision ->
                                assertThat(decision.join().allowed()).isTrue());
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(10);
            } finally {
                for (Connection one : applications) {
                    one.close();
                }
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            for (int i = 0; i < 10; i++) {
                Connection one = pool.getConnection();
                applications.add(one);
                try (Statement statement = one.createStatement();
                        ResultSet row = statement.executeQuery("SHOW statement_timeout")) {
                    row.next();
                    assertThat(row.getString(1)).isEqualTo("0");
                }
            }
        }
    }
}

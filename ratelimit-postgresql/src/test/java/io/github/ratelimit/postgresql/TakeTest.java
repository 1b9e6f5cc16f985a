package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.test.TestClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** "take" and "take_one" at the moments that traffic seldom meets; by the clock of the test, which stands at 1000 s. */
class TakeTest {

    /** The functions, with one cost of 1, 10 permits and this span. */
    private enum Function {
        TAKE(
                "SELECT how || ' ' || used || ' ' || ends || ' ' || at FROM taken.take_2(ARRAY['%1$s']::uuid[], '{1}', '{1}', '{10}', '{%2$d}') LIMIT 1"),
        TAKE_ONE(
                "SELECT told[4] || ' ' || told[1] || ' ' || told[2] || ' ' || told[3] FROM taken.take_one_2('%1$s', 1, 1, 10, %2$d) told");

        private final String call;

        Function(String call) {
            this.call = call;
        }

        String on(String key, long span) {
            return call.formatted(key, span);
        }
    }

    private static final String KEY = "00000000-0000-0000-0000-000000000007";

    private final PostgresServer server = PostgresServer.shared();
    private final MovedTime time = new MovedTime(server, "taken");

    @BeforeEach
    void begin() {
        server.run("UPDATE taken.moved SET millis = 999999");
    }

    private void row(long used, long ends) {
        server.run("INSERT INTO taken.counter (key, used, ends) VALUES ('%s', %d, %d)".formatted(KEY, used, ends));
    }

    private String row() {
        return server.text("SELECT used || ' ' || ends FROM taken.counter WHERE key = '%s'".formatted(KEY));
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1050000, 1 4 1050000 1000000",
        "10, 1050000, 0 10 1050000 1000000",
        "10, 1000000, 1 1 1060000 -1000000",
    })
    void windowsAreTakenFromRejectedAndOpened(long used, long ends, String told) {
        row(used, ends);
        for (Function function : Function.values()) {
            server.run("UPDATE taken.counter SET used = %d, ends = %d".formatted(used, ends));
            assertThat(server.text(function.on(KEY, 60_000))).as("%s", function).isEqualTo(told);
        }
    }

    /** A window that a rejection closed, one of the calendar that is over, and two that have more left than their length. */
    @ParameterizedTest
    @CsvSource({"-3, 1050000, 60000", "3, 1000000, -60000", "3, 1060001, 60000", "10, 1060001, -60000"})
    void otherWindowsAreLeftToDecide(long used, long ends, long span) {
        row(used, ends);
        for (Function function : Function.values()) {
            assertThat(server.text(function.on(KEY, span))).as("%s", function).startsWith("-1 ");
            assertThat(row()).as("%s", function).isEqualTo(used + " " + ends);
        }
    }

    /** The window ends while the call waits for another one, which takes a permit. */
    @ParameterizedTest
    @EnumSource
    void callThatWaitedFindsTheTimeAfterThat(Function function) throws SQLException {
        row(3, 1_001_000);
        try (Connection other = server.dataSource().getConnection();
                Statement lock = other.createStatement();
                Connection own = server.dataSource().getConnection();
                Statement call = own.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("UPDATE taken.counter SET used = 4");
            CompletableFuture<String> told = CompletableFuture.supplyAsync(() -> {
                try (ResultSet row = call.executeQuery(function.on(KEY, 60_000))) {
                    row.next();
                    return row.getString(1);
                } catch (SQLException e) {
                    return e.getMessage();
                }
            });
            await(
                    "it waits",
                    () -> server.number(
                                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%taken.take%'")
                            > 0);
            time.advance(Duration.ofSeconds(2));
            other.commit();
            assertThat(told.join()).isEqualTo("1 1 1062000 -1002000");
        }
    }

    /** Requests that travel together: the second take comes after the refund, not with the first one. */
    @Test
    void requestsOfACounterKeepTheirOrder() {
        TestClock clock = new TestClock();
        time.begin(clock);
        List<Charge> first = charges("somebody", 2);
        try (PostgresStore store =
                time.store(clock).rememberRejections(Duration.ZERO).lines(1).build()) {
            Decision before = store.tryAcquireAsync(first).join();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Decision> ahead =
                        store.tryAcquireAsync(charges("ahead", 1000)); // the others gather behind it
                CompletableFuture<Decision> fills = store.tryAcquireAsync(first);
                CompletableFuture<Void> gives = store.refundAsync(before);
                CompletableFuture<Decision> takes = store.tryAcquireAsync(first);
                CompletableFuture<Decision> other = store.tryAcquireAsync(charges("other", 1000));
                assertThat(takes.join().allowed()).isTrue();
                CompletableFuture.allOf(ahead, gives, other).join();
                store.refundAsync(takes.join()).join();
                before = fills.join();
            }
        }
    }

    private static List<Charge> charges(String client, long permits) {
        return List.of(new Charge("api", Limit.of("only", permits, Duration.ofHours(1)), Key.of(client)));
    }
}

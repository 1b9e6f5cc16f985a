package io.github.ratelimit.postgresql;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.StoreContract;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real server, whose time the test moves, its calendar included. */
class PostgresStoreContractTest extends StoreContract {

    private static final String SCHEMA = "contract";
    private static final long REST_AFTER_A_PASS = 10_000;
    private static final PostgresServer SERVER = PostgresServer.shared();
    private static MovedTime time;

    @BeforeAll
    static void createSchema() {
        time = new MovedTime(SERVER, SCHEMA);
    }

    @Override
    protected Store store(TestClock clock) {
        time.begin(clock);
        return time.store(clock).build();
    }

    @Override
    protected void advance(Store store, TestClock clock, Duration duration) {
        clock.advance(duration);
        time.advance(duration);
    }

    @Override
    protected Duration resolution() {
        return Duration.ofSeconds(10);
    }

    /** Its clock stands still, but for a millisecond at each reset. */
    @Override
    protected Duration tolerance() {
        return Duration.ofMillis(500);
    }

    /** Beside other tests, on a machine that may be slow. */
    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(5);
    }

    /** 600 random requests; 30,000 with {@code -Dfull=true}. */
    @Override
    protected int seeds() {
        return Boolean.getBoolean("full") ? 1000 : 20;
    }

    @Override
    protected int rounds() {
        return 100;
    }

    /** How many rows are left after a whole pass of the clean-up: what pages they lie in is the server's business. */
    @Override
    protected long footprint(Store store) {
        SERVER.run("UPDATE %s.counter SET used = 0, ends = 0 WHERE key = '00000000-0000-0000-0000-000000000000'"
                .formatted(SCHEMA));
        while (SERVER.number("SELECT %s.clean_up_2(60000)".formatted(SCHEMA)) < REST_AFTER_A_PASS) {
            Thread.onSpinWait(); // the store's own call is under way
        }
        return SERVER.number(
                "SELECT (SELECT count(*) FROM %1$s.counter) + (SELECT count(*) FROM %1$s.ticket)".formatted(SCHEMA));
    }

    @Override
    protected long footprintBound() {
        return 0;
    }
}

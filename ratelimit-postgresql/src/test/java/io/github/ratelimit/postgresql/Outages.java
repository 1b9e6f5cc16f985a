package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Asks a store while its server fails, keeps accounts of the answers, and reads what is logged. For one thread and one schema. */
final class Outages extends Handler implements AutoCloseable {

    static final Duration PATIENT = Duration.ofSeconds(60);

    static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 1_000_000, Duration.ofHours(1)), Key.of("somebody")));

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("io.github.ratelimit.postgresql");
    private final String schema;
    private long allowed;
    private long unanswered;

    Outages(String schema) {
        this.schema = schema;
        logger.addHandler(this);
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("waiting until " + what).isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    boolean decides(PostgresStore store) {
        try {
            assertThat(store.tryAcquire(CHARGES).allowed()).isTrue();
            allowed++;
            return true;
        } catch (StoreException e) {
            unanswered++; // and may have counted
            return false;
        }
    }

    void awaitDecision(PostgresStore store) {
        await("it decides", () -> decides(store));
    }

    void awaitDown(PostgresStore store, String why) {
        await("it is down", () -> !decides(store) && store.health().state() == State.DOWN);
        await("it says why", () -> store.health().reason().orElse("").contains(why));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.tryAcquire(CHARGES))
                .withMessageContaining("does not answer and is not asked");
    }

    void awaitBack(PostgresStore store) {
        await("it decides again", () -> decides(store));
        await("it says so", () -> told().size() % 2 == 0);
        assertThat(told()).isNotEmpty();
        for (int i = 0; i < told().size(); i++) { // more than one outage where a slow machine misses a deadline
            assertThat(told().get(i)).contains(i % 2 == 0 ? " does not answer" : " answers: limits are shared");
        }
    }

    /** What is told of outages: how each begins and ends. */
    List<String> told() {
        return lines.stream()
                .filter(line -> line.startsWith("PostgreSQL (schema %s) ".formatted(schema)))
                .filter(line -> line.contains("answer"))
                .toList();
    }

    /** All allowed requests have counted, and of the unanswered ones at most each once. */
    void assertExact(PostgresStore store) {
        await("it decides", () -> decides(store));
        long most = allowed + unanswered;
        long used = used(store) - 1;
        assertThat(used).isBetween(allowed, most);
    }

    static long used(PostgresStore store) {
        return 1_000_000 - store.tryAcquire(CHARGES).statuses().get(0).remaining();
    }

    void clear() {
        lines.clear();
    }

    @Override
    public void publish(LogRecord told) {
        lines.add(new SimpleFormatter().formatMessage(told));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}

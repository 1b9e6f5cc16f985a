package io.github.ratelimit.postgresql;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;

/**
 * A schema whose clock the test moves: its function for that is replaced by one that tells what a table says, and a millisecond more after
 * each reset, as a store waits for that. So no test depends on how fast this machine is.
 */
final class MovedTime {

    private final PostgresServer server;
    private final String schema;

    /** Makes the schema. */
    MovedTime(PostgresServer server, String schema) {
        this.server = server;
        this.schema = schema;
        server.createSchema(schema);
        server.run("""
                CREATE TABLE %1$s.moved (millis bigint);
                INSERT INTO %1$s.moved VALUES (0);
                CREATE SEQUENCE %1$s.resets;
                CREATE FUNCTION %1$s.reset() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM nextval('%1$s.resets'); RETURN NULL; END $$;
                CREATE TRIGGER reset AFTER UPDATE ON %1$s.counter FOR EACH ROW
                WHEN (NEW.used = 0 AND NEW.key::text NOT LIKE '00000000-%%') EXECUTE FUNCTION %1$s.reset();
                CREATE OR REPLACE FUNCTION %1$s.clock_2() RETURNS bigint LANGUAGE sql VOLATILE AS
                $$ SELECT millis + last_value + is_called::int FROM %1$s.moved, %1$s.resets $$
                """.formatted(schema));
    }

    /** Deletes the counters, and sets the clock. */
    void begin(TestClock clock) {
        // One after the other: the last call of a store that was closed may still be under way.
        server.run("TRUNCATE %1$s.counter, %1$s.ticket".formatted(schema));
        server.run("ALTER SEQUENCE %s.resets RESTART".formatted(schema));
        server.run("UPDATE %s.moved SET millis = %d"
                .formatted(schema, clock.instant().toEpochMilli()));
    }

    void advance(Duration duration) {
        server.run("UPDATE %s.moved SET millis = millis + %d".formatted(schema, duration.toMillis()));
    }

    /** A store with all the time that it needs: what is promised is the decision. */
    PostgresStore.Builder store(TestClock clock) {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(schema)
                .timeout(Duration.ofSeconds(30))
                .time(clock);
    }
}

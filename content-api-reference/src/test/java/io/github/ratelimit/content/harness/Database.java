package io.github.ratelimit.content.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** The databases that the server runs on. */
public enum Database {
    /** H2, in files below the data directory. */
    H2 {
        @Override
        Instance create() {
            return new Instance(List.of(), () -> {});
        }
    },
    /** A real PostgreSQL, started for the test. */
    POSTGRESQL {
        @Override
        Instance create() {
            try {
                EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(LONGEST_START)
                        .start();
                return new Instance(
                        List.of(
                                "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                                "--spring.datasource.username=postgres",
                                "--spring.datasource.password=postgres"),
                        () -> close(postgres));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** Chosen: unpacking and starting it takes some seconds, or a minute beside other busy tests. */
    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    /** Makes a fresh and empty one. */
    abstract Instance create();

    private static void close(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A database that waits for a server.
     *
     * @param arguments what tells the server where it is
     * @param stop stops it
     */
    record Instance(List<String> arguments, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}

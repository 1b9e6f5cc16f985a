package io.github.ratelimit.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A real server, seen by its operator: what tests ask and change behind the store's back. */
final class PostgresServer implements AutoCloseable {

    /** Chosen: unpacking and starting it takes some seconds, or a minute beside other busy tests. */
    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private static @Nullable PostgresServer shared;

    private final @Nullable Path data;
    private final int port;
    private @Nullable EmbeddedPostgres process;
    private @Nullable Connection operator;

    private PostgresServer(@Nullable Path data, int port) {
        this.data = data;
        this.port = port;
    }

    /** One for all tests of this process that leave it as it was, each with a schema of its own; or the one at this port of the machine. */
    static synchronized PostgresServer shared() {
        if (shared == null) {
            String running = System.getenv("RATELIMIT_TEST_POSTGRES_PORT");
            shared = running == null ? start(null) : new PostgresServer(null, Integer.parseInt(running));
        }
        return shared;
    }

    /**
     * Starts one.
     *
     * @param data where its files are kept when it is stopped; null to delete them
     */
    static PostgresServer start(@Nullable Path data) {
        EmbeddedPostgres process = start(data, 0);
        PostgresServer server = new PostgresServer(data, process.getPort());
        server.process = process;
        return server;
    }

    private static EmbeddedPostgres start(@Nullable Path data, int port) {
        try {
            EmbeddedPostgres.Builder builder =
                    EmbeddedPostgres.builder().setPGStartupWait(LONGEST_START).setPort(port);
            if (data != null) {
                builder.setDataDirectory(data).setCleanDataDirectory(false);
            }
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void restart() {
        process = start(data, port);
    }

    @Override
    public void close() {
        stop();
    }

    /** Kills a backend, so that the server gives up its memory and recovers. */
    void crash() {
        ProcessHandle.of(number("SELECT pg_backend_pid()")).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Sends a signal to the process that listens, and then to all others but the operator's: a connection that is being made has one too. */
    void signal(String signal) {
        long listening = number("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
        long operators = number("SELECT pg_backend_pid()");
        signal(signal, List.of(listening));
        signal(
                signal,
                ProcessHandle.of(listening)
                        .orElseThrow()
                        .children()
                        .map(ProcessHandle::pid)
                        .filter(pid -> pid != operators)
                        .toList());
    }

    private static void signal(String signal, List<Long> processes) {
        String all = processes.stream().map(String::valueOf).collect(Collectors.joining(" "));
        try {
            new ProcessBuilder("sh", "-c", "kill -%s %s".formatted(signal, all))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A standby of this server, which is restarted for that. */
    PostgresServer standby(Path copy) throws IOException {
        stop();
        Path from = Objects.requireNonNull(data);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(
                        file,
                        copy.resolve(from.relativize(file)),
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=localhost port=%d user=postgres'%n".formatted(port),
                StandardOpenOption.APPEND);
        restart();
        return start(copy);
    }

    /** {@link #restart} starts it again. */
    void stop() {
        try {
            if (process != null) {
                process.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    DataSource dataSource() {
        return dataSource("postgres", port);
    }

    static DataSource dataSource(String user, int... ports) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        String[] hosts = new String[ports.length];
        Arrays.fill(hosts, "localhost");
        source.setServerNames(hosts);
        source.setPortNumbers(ports);
        source.setTargetServerType(ports.length > 1 ? "primary" : "any");
        source.setHostRecheckSeconds(1);
        source.setUser(user);
        source.setPassword("postgres");
        source.setDatabaseName("postgres");
        return source;
    }

    /** Executes statements. */
    void run(String sql) {
        ask(statement -> statement.execute(sql));
    }

    /** The only value that a query tells. */
    String text(String sql) {
        return ask(statement -> {
            try (ResultSet row = statement.executeQuery(sql)) {
                row.next();
                return row.getString(1);
            }
        });
    }

    /** The only number that a query tells. */
    long number(String sql) {
        return Long.parseLong(text(sql));
    }

    private interface Question<T> {
        T ask(Statement statement) throws SQLException;
    }

    private synchronized <T> T ask(Question<T> question) {
        try {
            if (operator == null || !operator.isValid(0)) {
                operator = dataSource().getConnection();
            }
            try (Statement statement = operator.createStatement()) {
                return question.ask(statement);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Drops the schema and makes it anew. */
    void createSchema(String schema) {
        run("DROP SCHEMA IF EXISTS %s CASCADE".formatted(schema));
        run(PostgresStore.schemaScript(schema, false));
    }
}

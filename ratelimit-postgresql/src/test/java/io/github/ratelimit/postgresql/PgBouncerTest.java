package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The store behind PgBouncer in session mode, by the binary that the variable names: {@code .ci/pgbouncer} unpacks one. */
@EnabledIfEnvironmentVariable(named = "RATELIMIT_TEST_PGBOUNCER", matches = ".+")
class PgBouncerTest {

    private final PostgresServer server = PostgresServer.shared();

    @TempDir
    private Path directory;

    private Process start(int port) throws IOException {
        Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d user=postgres password=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = session
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.port(), port));
        Stream.of(directory, settings)
                .forEach(path ->
                        assertThat(path.toFile().setReadable(true, false)).isTrue());
        assertThat(directory.toFile().setExecutable(true, false)).isTrue();
        List<String> command = new ArrayList<>(List.of(System.getenv("RATELIMIT_TEST_PGBOUNCER"), settings.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    @Test
    void sessionModeSharesCountsAndGivesConnectionsBackAsTheyCame() throws IOException, SQLException {
        server.createSchema("bouncer");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process bouncer = start(port);
        try {
            DataSource dataSource = PostgresServer.dataSource("postgres", port);
            Charge charge = new Charge("api", Limit.of("only", 100, Duration.ofHours(1)), Key.of("somebody"));
            try (PostgresStore store = PostgresStore.builder()
                    .dataSource(dataSource)
                    .schema("bouncer")
                    .timeout(Duration.ofSeconds(30))
                    .startTimeout(Duration.ofSeconds(30))
                    .build()) {
                Outages.await("it decides", () -> store.health().reason().isEmpty());
                long allowed =
                        Stream.generate(() -> store.tryAcquireAsync(List.of(charge))).limit(300).toList().stream()
                                .map(CompletableFuture::join)
                                .filter(decision -> decision.allowed())
                                .count();
                assertThat(allowed).isEqualTo(100);
            }
            try (Connection next = dataSource.getConnection();
                    Statement statement = next.createStatement();
                    ResultSet row = statement.executeQuery("SHOW statement_timeout")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("0");
            }
        } finally {
            bouncer.destroy();
        }
    }
}

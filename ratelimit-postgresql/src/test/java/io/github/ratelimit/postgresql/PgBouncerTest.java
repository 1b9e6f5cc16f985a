package io.github.ratelimit.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The store behind PgBouncer, by the binary that the variable names: {@code .ci/servers pgbouncer} unpacks two. */
@EnabledIfEnvironmentVariable(named = "RATELIMIT_TEST_PGBOUNCER", matches = ".+")
class PgBouncerTest {

    private final PostgresServer server = PostgresServer.shared();

    @TempDir
    private Path directory;

    /** How the application sets up the driver. The last one needs PgBouncer 1.21, which knows of prepared statements. */
    enum Mode {
        SESSION("session", 5, ""),
        TRANSACTION("transaction", 0, ""),
        TRANSACTION_WITH_PREPARED_STATEMENTS("transaction", 5, "max_prepared_statements = 100");

        private final String pool;
        private final int prepareThreshold;
        private final String setting;

        Mode(String pool, int prepareThreshold, String setting) {
            this.pool = pool;
            this.prepareThreshold = prepareThreshold;
            this.setting = setting;
        }
    }

    private static boolean knowsPreparedStatements() throws IOException {
        Process asked = new ProcessBuilder(System.getenv("RATELIMIT_TEST_PGBOUNCER"), "--version").start();
        Matcher version = Pattern.compile("1\\.(\\d+)")
                .matcher(new String(asked.getInputStream().readAllBytes(), UTF_8));
        return version.find() && Integer.parseInt(version.group(1)) >= 21;
    }

    private Process start(int port, Mode mode) throws IOException {
        Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d user=postgres password=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                %s
                """.formatted(
                        server.port(), port, mode.pool, mode == Mode.SESSION ? 2 : 1, mode.setting));
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

    private static String settings(DataSource dataSource) throws SQLException {
        try (Connection application = dataSource.getConnection();
                Statement statement = application.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN"
                                + " ('statement_timeout', 'lock_timeout', 'synchronous_commit', 'default_transaction_isolation')")) {
            row.next();
            return row.getString(1);
        }
    }

    /** In transaction mode the application's query meets the one session that all calls of the store use. */
    @ParameterizedTest
    @EnumSource
    void countsAreSharedAndNoSettingReachesTheApplication(Mode mode) throws IOException, SQLException {
        assumeTrue(mode.setting.isEmpty() || knowsPreparedStatements());
        server.createSchema("bouncer");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process bouncer = start(port, mode);
        try {
            PGSimpleDataSource dataSource = (PGSimpleDataSource) PostgresServer.dataSource("postgres", port);
            dataSource.setPrepareThreshold(mode.prepareThreshold);
            String untouched = settings(server.dataSource());
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
                if (mode != Mode.SESSION) { // in which the store has both
                    assertThat(settings(dataSource)).isEqualTo(untouched);
                }
            }
            assertThat(settings(dataSource)).isEqualTo(untouched);
        } finally {
            bouncer.destroy();
        }
    }
}

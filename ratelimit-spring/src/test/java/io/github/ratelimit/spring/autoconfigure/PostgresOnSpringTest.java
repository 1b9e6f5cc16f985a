package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.postgresql.PostgresStore;
import io.github.ratelimit.spring.RateLimit;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Nodes on one real PostgreSQL: its limits, its health, its meters, its counters' names and its end. */
@ExtendWith(OutputCaptureExtension.class)
class PostgresOnSpringTest {

    /** Two data sources, of which one is told by its name. */
    @Configuration(proxyBeanMethods = false)
    static class TwoSources {

        @Bean
        DataSource orders() {
            return new PGSimpleDataSource();
        }

        @Bean
        DataSource counts(DataSourceOf server) {
            return server.dataSource();
        }
    }

    /** No data source itself. */
    record DataSourceOf(DataSource dataSource) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Shared shared() {
            return new Shared();
        }
    }

    @RestController
    static class Shared {

        @GetMapping("/shared")
        @RateLimit("shared")
        String shared() {
            return "served";
        }
    }

    private static RunningApplication.Builder node(Class<?>... sources) {
        return RunningApplication.of(sources)
                .property("ratelimit.store", "postgresql")
                .property("ratelimit.postgresql.schema", "limits")
                .property("ratelimit.postgresql.create-schema", "true")
                .property("ratelimit.postgresql.timeout", "10s") // a busy machine is slow to start with
                .property("ratelimit.postgresql.start-timeout", "60s")
                .property("management.endpoint.health.show-details", "always")
                .property("management.endpoints.web.exposure.include", "health,ratelimits")
                .limiter("shared", 3)
                .property("ratelimit.limiters.shared.key[0]", "client-address")
                .property("ratelimit.limiters.shared.key[1]", "header:X-Client");
    }

    private static Answer get(RunningApplication node, String path, String... fields) throws Exception {
        return RawHttp.get(node.base(), path, fields);
    }

    private static String remaining(RunningApplication node) throws Exception {
        Answer answer = get(node, "/shared");
        assertThat(answer.status()).isEqualTo(200);
        return answer.values("X-RateLimit-Remaining").get(0);
    }

    @Test
    void nodesShareOneBudgetAndGoOnWithoutPostgres() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                RunningApplication only = node(Application.class)
                        .bean(DataSource.class, server.getPostgresDatabase())
                        .bean(MeterRegistry.class, registry)
                        .start();
                RunningApplication named = node(Application.class, TwoSources.class)
                        .bean(DataSourceOf.class, new DataSourceOf(server.getPostgresDatabase()))
                        .property("ratelimit.postgresql.data-source", "counts")
                        .start()) {
            assertThat(remaining(only)).isEqualTo("2");
            assertThat(remaining(named)).isEqualTo("1");
            assertThat(remaining(only)).isEqualTo("0");
            assertThat(get(named, "/shared").status()).isEqualTo(429);
            assertThat(get(only, "/shared").status()).isEqualTo(429);

            assertThat(get(only, "/actuator/health/ratelimit").body())
                    .contains("\"status\":\"UP\"")
                    .contains("\"shards\":[{\"address\":\"schema limits\",\"state\":\"up\"}]");
            assertThat(registry.get("ratelimit.store.up").gauge().value()).isEqualTo(1);
            assertThat(registry.get("ratelimit.store.decisions")
                            .functionCounter()
                            .count())
                    .isGreaterThanOrEqualTo(2);
            Matcher key = Pattern.compile("\"storeKey\":\"([^\"]+)\"")
                    .matcher(get(named, "/actuator/ratelimits/shared?client=address:127.0.0.1")
                            .body());
            assertThat(key.find()).isTrue();
            assertThat(used(server, key.group(1))).isEqualTo(3);

            stop(server);
            assertThat(get(named, "/shared", "X-Client: another").status())
                    .as("by the in-process fallback")
                    .isEqualTo(200);
        }
    }

    private static EmbeddedPostgres start(Path data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    private static HikariDataSource pool(int port) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:postgresql://localhost:%d/postgres".formatted(port));
        pool.setUsername("postgres");
        pool.setPassword("postgres");
        pool.setMaximumPoolSize(1);
        pool.setLeakDetectionThreshold(2000); // the least that there is
        return pool;
    }

    /** What stores say, wherever earlier applications of this process left the output of their loggers. */
    private static final class Said extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger(PostgresStore.class.getName());
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Said() {
            logger.setLevel(Level.INFO);
            logger.addHandler(this);
        }

        boolean has(String words) {
            return lines.stream().anyMatch(line -> line.contains(words));
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setLevel(null);
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime() - end).isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** The store connects beside it. */
    @Test
    void poolOfOneIsTheApplicationsAlone(@TempDir Path data, CapturedOutput output) throws Exception {
        EmbeddedPostgres server = start(data, 0);
        Said said = new Said();
        try (said;
                HikariDataSource pool = pool(server.getPort());
                RunningApplication application = node(Application.class)
                        .bean(DataSource.class, pool)
                        .property("ratelimit.postgresql.timeout", "500ms")
                        .property("logging.level.com.zaxxer.hikari", "warn")
                        .start()) {
            assertThat(remaining(application)).isEqualTo("2");
            String names = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ratelimit'";
            try (Connection own = pool.getConnection();
                    ResultSet row = own.createStatement().executeQuery(names)) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(2);
            }
            LockSupport.parkNanos(2_500_000_000L); // until leak detection would tell
            int port = server.getPort();
            stop(server);
            await(() -> said.has("does not answer"));
            assertThat(get(application, "/shared").status()).isEqualTo(200);
            server = start(data, port);
            await(() -> said.has("answers: limits are shared"));
            assertThat(remaining(application)).isEqualTo("1");
            try (Connection own = pool.getConnection()) {
                assertThat(own.isValid(1)).isTrue();
            }
        } finally {
            stop(server);
        }
        assertThat(output.getAll().lines()).noneMatch(line -> line.startsWith("\tat ") || line.contains("leak"));
        assertThat(said.lines)
                .filteredOn(line -> line.contains("does not answer"))
                .hasSize(1);
    }

    /** As without Redis: the application starts, says why, and each limiter decides by its policy. */
    @Test
    void missingSchemaIsAnOutageFromTheStart(CapturedOutput output) throws Exception {
        try (Said said = new Said();
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                RunningApplication application = node(Application.class)
                        .bean(DataSource.class, server.getPostgresDatabase())
                        .property("ratelimit.postgresql.create-schema", "false")
                        .property("ratelimit.postgresql.start-timeout", "300ms")
                        .property("ratelimit.limiters.shared.on-store-failure", "reject")
                        .property("logging.level.io.github.ratelimit", "info")
                        .start()) {
            await(() -> said.has("run schema.sql"));
            assertThat(get(application, "/shared").status()).isEqualTo(503);
            try (Connection operator = server.getPostgresDatabase().getConnection();
                    var statement = operator.createStatement()) {
                statement.execute(PostgresStore.schemaScript("limits", false));
            }
            await(() -> said.has("answers: limits are shared"));
            assertThat(remaining(application)).isEqualTo("2");
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("did not answer within 300ms")))
                .hasSize(1);
    }

    /** It accepts connections and says nothing; a driver without a timeout would wait for good. */
    @Test
    void silentServerDelaysTheStartForABoundedTimeAndIsWarnedOfOnce(CapturedOutput output) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            source.setPortNumbers(new int[] {silent.getLocalPort()});
            try (RunningApplication application = node(Application.class)
                    .bean(DataSource.class, source)
                    .property("ratelimit.postgresql.timeout", "100ms")
                    .property("ratelimit.postgresql.start-timeout", "300ms")
                    .property("logging.level.io.github.ratelimit", "warn")
                    .start()) {
                assertThat(get(application, "/shared").status()).isEqualTo(200);
            }
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("ratelimit.postgresql.start-timeout")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("PostgreSQL (schema limits) did not answer within 300ms");
    }

    private static void stop(EmbeddedPostgres server) throws IOException {
        server.close();
    }

    private static long used(EmbeddedPostgres server, String key) throws Exception {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                var statement = connection.prepareStatement("SELECT used FROM limits.counter WHERE key = ?::uuid")) {
            statement.setString(1, key);
            ResultSet row = statement.executeQuery();
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}

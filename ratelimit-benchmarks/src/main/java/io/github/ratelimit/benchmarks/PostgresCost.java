package io.github.ratelimit.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.postgresql.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * What a decision on a PostgreSQL server of this machine costs: {@link Turns} of contenders, and then how the table grows. All tables are
 * unlogged. The contenders beside the store share a pool of 32 connections. Calls are those of the store; server time is of all of its processes.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.PostgresCost [turns=5] [seconds=2] [decisions=1000000]}
 */
public final class PostgresCost {

    private static final long PERMITS = 1_000_000_000_000L;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int KEYS = 10_000;
    private static final int THREADS = 32;
    private static final int FEW_THREADS = 8;
    private static final int IN_FLIGHT = 256;
    private static final double TICKS_PER_SECOND = 100; // of /proc, on Linux

    private static final String UPSERT = "INSERT INTO upsert AS old VALUES (?, 1, now() + interval '1 hour')"
            + " ON CONFLICT (id) DO UPDATE SET used = CASE WHEN old.ends <= now() THEN 1 ELSE old.used + 1 END,"
            + " ends = CASE WHEN old.ends <= now() THEN excluded.ends ELSE old.ends END RETURNING used";

    private final Map<String, Turns.Contender> contenders = new LinkedHashMap<>();

    private PostgresCost(DataSource pool, PostgresStore store, PostgresStore ahead) throws SQLException {
        execute(
                pool,
                "CREATE UNLOGGED TABLE upsert (id bigint PRIMARY KEY, used bigint, ends timestamptz) WITH (fillfactor = 50)");
        execute(pool, "CREATE UNLOGGED TABLE bucket (id bigint PRIMARY KEY, state bytea)");
        List<List<Charge>> charges = charges("limit", PERMITS);
        List<List<Charge>> hot = charges("ahead", PERMITS);
        List<List<Charge>> usedUp = charges("used-up", 1);
        ProxyManager<Long> buckets =
                Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool).build();
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PERMITS).refillIntervally(PERMITS, WINDOW))
                .build();
        contenders.put("SELECT 1", key -> number(pool, "SELECT 1"));
        contenders.put("PostgresStore", key -> store.tryAcquire(charges.get(key)));
        contenders.put("PostgresStore, permits ahead", key -> ahead.tryAcquire(hot.get(key)));
        contenders.put("PostgresStore, rejected", key -> store.tryAcquire(usedUp.get(key)));
        contenders.put("one upsert a decision", key -> number(pool, UPSERT, key));
        contenders.put(
                "Bucket4j, select for update",
                key -> buckets.builder().build((long) key, () -> configuration).tryConsume(1));
    }

    private static List<List<Charge>> charges(String name, long permits) {
        Limit limit = Limit.of(name, permits, WINDOW);
        return IntStream.range(0, KEYS)
                .mapToObj(i -> List.of(new Charge("benchmark", limit, Key.of("203.0.113." + i))))
                .toList();
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        int turns = Turns.option(args, "turns", 5);
        int seconds = Turns.option(args, "seconds", 2);
        int decisions = Turns.option(args, "decisions", 1_000_000);
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                HikariDataSource pool = pool(server.getPostgresDatabase())) {
            long pid = number(pool, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint");
            try (PostgresStore store = store(server, "turns", Set.of());
                    PostgresStore ahead = store(server, "turns", Set.of("benchmark"))) {
                PostgresCost cost = new PostgresCost(pool, store, ahead);
                Turns all = new Turns(
                        turns,
                        seconds,
                        () -> serverCpu(pid),
                        () -> store.statistics().total().calls());
                all.together("32 threads, 10 000 keys", THREADS, KEYS, cost.contenders);
                all.together("32 threads, one hot key", THREADS, 1, cost.contenders);
                all.together("8 threads, 10 000 keys", FEW_THREADS, KEYS, cost.contenders);
                all.together("1 thread, 10 000 keys", 1, KEYS, cost.contenders);
            }
            grow(server, pool, decisions);
        }
    }

    private static HikariDataSource pool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(THREADS);
        return new HikariDataSource(config);
    }

    private static PostgresStore store(EmbeddedPostgres server, String schema, Set<String> ahead) {
        return PostgresStore.builder()
                .dataSource(server.getPostgresDatabase())
                .schema(schema)
                .createSchema(true)
                .permitsAhead(ahead)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    /** Prints the size of the table after so many decisions, and its dead rows. */
    private static void grow(EmbeddedPostgres server, DataSource pool, int decisions) throws Exception {
        List<List<Charge>> charges = charges("limit", PERMITS);
        try (PostgresStore store = store(server, "grown", Set.of())) {
            Semaphore free = new Semaphore(IN_FLIGHT);
            for (int i = 0; i < decisions; i++) {
                free.acquire();
                CompletionStage<?> unused = store.tryAcquireAsync(charges.get(Turns.any(KEYS)))
                        .whenComplete((decision, failure) -> free.release());
            }
            free.acquire(IN_FLIGHT);
        } // whose connections report what they have done when they end
        String from = " FROM pg_stat_user_tables WHERE schemaname = 'grown' AND relname = 'counter'";
        System.out.printf(
                Locale.ROOT,
                "%nafter %,d decisions on %,d keys: %,d bytes, %,d live rows, %,d dead rows, %,d of %,d updates on their page%n",
                decisions,
                KEYS,
                number(pool, "SELECT pg_total_relation_size('grown.counter')"),
                number(pool, "SELECT n_live_tup" + from),
                number(pool, "SELECT n_dead_tup" + from),
                number(pool, "SELECT n_tup_hot_upd" + from),
                number(pool, "SELECT n_tup_upd" + from));
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(DataSource source, String sql, long... arguments) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setLong(i + 1, arguments[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Seconds that the server's processes have worked, those that have ended included. */
    private static double serverCpu(long pid) {
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        double ticks = ticks(pid, 4)
                + server.children().mapToDouble(child -> ticks(child.pid(), 2)).sum();
        return ticks / TICKS_PER_SECOND;
    }

    /** The first of utime, stime, cutime and cstime; none of a process that has just ended. Rule: proc_pid_stat(5). */
    private static long ticks(long pid, int fields) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Arrays.stream(afterName, 11, 11 + fields)
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }
}

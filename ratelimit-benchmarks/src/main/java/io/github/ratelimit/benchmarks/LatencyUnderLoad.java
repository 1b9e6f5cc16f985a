package io.github.ratelimit.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.postgresql.PostgresStore;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How long callers wait for a decision while others ask, with a network in between: at 20, 50 and 80 % of the load that saturates each
 * contender. A caller's time begins when its decision was due, not when a thread was free for it.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.LatencyUnderLoad [seconds=5]}
 */
public final class LatencyUnderLoad {

    private static final Duration ROUND_TRIP = Duration.ofNanos(500_000);
    private static final int THREADS = 64;
    private static final int KEYS = 10_000;
    private static final long PERMITS = 1_000_000_000_000L;
    private static final Limit LIMIT = Limit.of("limit", PERMITS, Duration.ofHours(1));

    private static final BucketConfiguration BUCKET = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(PERMITS).refillIntervally(PERMITS, Duration.ofHours(1)))
            .build();

    private final long nanos;

    private LatencyUnderLoad(int seconds) {
        this.nanos = seconds * 1_000_000_000L;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        LatencyUnderLoad latency = new LatencyUnderLoad(Turns.option(args, "seconds", 5));
        System.out.printf("%-22s %6s %12s %10s %10s %10s%n", "", "load", "decisions/s", "p50 us", "p99 us", "p99.9 us");
        latency.onRedis();
        latency.onPostgres();
    }

    private void onRedis() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                FaultProxy network =
                        FaultProxy.farAway(RedisURI.create(server.uri()).getPort(), ROUND_TRIP)) {
            RedisClient client = RedisClient.create(network.uri("redis"));
            try (RedisStore store = RedisStore.builder()
                    .uri(network.uri("redis"))
                    .timeout(Duration.ofSeconds(30))
                    .build()) {
                measure("RedisStore", decisions(store));
                ProxyManager<String> buckets = Bucket4jLettuce.casBasedBuilder(
                                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                        .build();
                measure(
                        "Bucket4j, Lettuce",
                        key -> buckets.builder()
                                .build(Integer.toString(key), () -> BUCKET)
                                .tryConsume(1));
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
    }

    private void onPostgres() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                FaultProxy network = FaultProxy.farAway(server.getPort(), ROUND_TRIP)) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl("jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres".formatted(network.port()));
            HikariConfig config = new HikariConfig();
            config.setDataSource(source);
            config.setMaximumPoolSize(THREADS / 2);
            try (HikariDataSource pool = new HikariDataSource(config);
                    PostgresStore store = PostgresStore.builder()
                            .dataSource(source)
                            .createSchema(true)
                            .timeout(Duration.ofSeconds(30))
                            .build()) {
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE UNLOGGED TABLE bucket (id bigint PRIMARY KEY, state bytea)");
                }
                measure("PostgresStore", decisions(store));
                ProxyManager<Long> buckets =
                        Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool).build();
                measure(
                        "Bucket4j, PostgreSQL",
                        key -> buckets.builder().build((long) key, () -> BUCKET).tryConsume(1));
            }
        }
    }

    private static Turns.Contender decisions(Store store) {
        List<List<Charge>> charges = IntStream.range(0, KEYS)
                .mapToObj(i -> List.of(new Charge("benchmark", LIMIT, Key.of("203.0.113." + i))))
                .toList();
        return key -> store.tryAcquire(charges.get(key));
    }

    private void measure(String name, Turns.Contender contender) throws Exception {
        ask(contender, 0); // warms up
        double most = ask(contender, 0).length / (nanos / 1e9);
        for (int percent : new int[] {20, 50, 80}) {
            double perSecond = most * percent / 100;
            long[] took = ask(contender, (long) (1e9 / perSecond));
            System.out.printf(
                    Locale.ROOT,
                    "%-22s %5d%% %,12.0f %,10.0f %,10.0f %,10.0f%n",
                    name,
                    percent,
                    took.length / (nanos / 1e9),
                    took[took.length / 2] / 1e3,
                    took[(int) (took.length * 0.99)] / 1e3,
                    took[(int) (took.length * 0.999)] / 1e3);
        }
    }

    /**
     * Asks for a while.
     *
     * @param every nanoseconds between two decisions; 0: as fast as all threads can
     * @return how long each took, in ascending order
     */
    private long[] ask(Turns.Contender contender, long every) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        List<long[]> all = new ArrayList<>();
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                long[] own = ask(contender, begin, every, next);
                synchronized (all) {
                    all.add(own);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private long[] ask(Turns.Contender contender, long begin, long every, AtomicLong next) {
        long[] own = new long[1 << 10];
        int count = 0;
        try {
            while (true) {
                long due = begin + next.getAndIncrement() * every;
                boolean early = false;
                while (due - System.nanoTime() > 0) {
                    early = true;
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                long from = early || every == 0 ? System.nanoTime() : due; // a thread that wakes late is no load
                if (from - begin > nanos || System.nanoTime() - begin > nanos) {
                    return Arrays.copyOf(own, count);
                }
                contender.decide(Turns.any(KEYS));
                if (count == own.length) {
                    own = Arrays.copyOf(own, 2 * count);
                }
                own[count++] = System.nanoTime() - from;
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

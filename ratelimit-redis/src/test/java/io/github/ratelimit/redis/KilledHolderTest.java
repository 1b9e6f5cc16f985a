package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node that is killed while it holds permits of a concurrency limit: others get them when its leases are over. */
class KilledHolderTest {

    /** So long that no holder renews within the test, which moves the server's time. */
    static final Duration LEASE = Duration.ofHours(3);

    /** The node: takes five permits and holds them until it is killed. */
    public static void main(String[] args) throws Exception {
        try (RedisStore store = store(args[0])) {
            Limiter<String> jobs = jobs(store);
            Hold[] holds = Stream.generate(() -> jobs.tryAcquire("tenant"))
                    .limit(5)
                    .map(jobs::hold)
                    .toArray(Hold[]::new);
            System.out.println(holds.length);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** A node at a server, which holds all five permits of tenant. */
    static Process holding(String uri) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process node = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", // it ends soon
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        KilledHolderTest.class.getName(),
                        uri)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(node.inputReader().readLine()).isEqualTo("5");
        return node;
    }

    private static RedisStore store(String uri) {
        return RedisStore.builder().uri(uri).timeout(Duration.ofSeconds(30)).build();
    }

    private static Limiter<String> jobs(RedisStore store) {
        return Limiter.of(
                LimiterSpec.of("jobs", Limit.concurrent("jobs", 5, LEASE), Key::of)
                        .withOnStoreFailure(OnStoreFailure.REJECT),
                store);
    }

    @Test
    void permitsOfAKilledNodeComeBackWhenItsLeasesAreOver() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(server);
                RedisStore store = store(server.uri())) {
            Limiter<String> jobs = jobs(store);
            Process node = holding(server.uri());
            try {
                assertThat(jobs.tryAcquire("tenant").allowed()).isFalse();
            } finally {
                node.destroyForcibly().waitFor();
            }
            assertThat(node.exitValue()).as("killed by a signal").isEqualTo(128 + 9);
            bed.advance(LEASE.dividedBy(2));
            assertThat(jobs.tryAcquire("tenant").retryAfter()).contains(Duration.ofSeconds(1));

            bed.advance(LEASE.dividedBy(2));
            Decision taken = jobs.tryAcquire("tenant", 5);
            assertThat(taken.allowed()).isTrue();
        }
    }
}

package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisCountersTest {

    private static final Limit LIMIT = Limit.of("burst", 10, Duration.ofMinutes(1));

    private static RedisProcess process;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    private int run(String... args) {
        out.reset();
        String[] all = Stream.concat(Stream.of("--uri=" + process.uri()), Stream.of(args))
                .toArray(String[]::new);
        return RedisCounters.run(all, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    @Test
    void clientsCounterIsFoundFromItsPlainPartsLookedAtAndReset() {
        Charge charge = new Charge("api", LIMIT, Key.of("203.0.113.7").and(Key.absent()));
        String[] rule = {"--limiter=api", "--limit=burst", "--permits=10", "--window=PT1M"};
        try (RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .timeout(Duration.ofSeconds(20))
                        .build();
                RedisTestBed bed = RedisTestBed.of(process)) {
            store.tryAcquire(costing(List.of(charge), 7));

            assertThat(run(with(rule, "name", "203.0.113.7", "-"))).isZero();
            assertThat(bed.server().get(out.toString(UTF_8).strip())).isEqualTo("7");
            assertThat(run(with(rule, "look", "203.0.113.7", "-"))).isZero();
            assertThat(out.toString(UTF_8)).contains("3 of 10 permits remain");
            assertThat(run("top", "1")).isZero();
            assertThat(out.toString(UTF_8)).startsWith("7 used, PT").contains("rl:1:{");
            assertThat(run(with(rule, "reset", "203.0.113.7", "-"))).isZero();
            assertThat(out.toString(UTF_8)).contains("10 of 10 permits remain");
            assertThat(bed.keys()).isEmpty();
        }
    }

    /** It found nothing for a prefix with brackets, and ended at the first key that is no counter. */
    @Test
    void topReadsAnyPrefixAndPassesOverForeignKeys() {
        Charge charge = new Charge("api", LIMIT, Key.of("203.0.113.7"));
        try (RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .keyPrefix("shop[1]*:")
                        .timeout(Duration.ofSeconds(20))
                        .build();
                RedisTestBed bed = RedisTestBed.of(process)) {
            store.tryAcquire(costing(List.of(charge), 7));
            bed.server().rpush("shop[1]*:{list}", "a");
            bed.server().set("shop[1]*:{word}", "a");

            assertThat(run("--key-prefix=shop[1]*:", "top")).isZero();

            assertThat(out.toString(UTF_8)).startsWith("7 used, PT").hasLineCount(1);
            store.resetAsync(List.of(charge)).join();
            bed.server().del("shop[1]*:{list}", "shop[1]*:{word}");
        }
    }

    @Test
    void commandOfTheManualLooks() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "redis.md"));
        Matcher command =
                Pattern.compile("RedisCounters --uri=\\S+ \\\\\n +(.*)\n```").matcher(page);
        assertThat(command.find()).isTrue();
        assertThat(run(command.group(1).split(" "))).isZero();
        assertThat(out.toString(UTF_8)).contains("1000 of 1000 permits remain");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(run("look", "somebody")).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("--limiter is missing");
        err.reset();
        assertThat(run("tops")).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("'tops' is none of name, look, reset and top");
        err.reset();
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("java -cp");
    }

    private static String[] with(String[] options, String... words) {
        return Stream.concat(Stream.of(options), Stream.of(words)).toArray(String[]::new);
    }
}

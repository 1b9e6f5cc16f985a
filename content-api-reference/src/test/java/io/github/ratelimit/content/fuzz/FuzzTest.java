package io.github.ratelimit.content.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.WatchedLog;
import io.github.ratelimit.content.replay.ContentSet;
import io.github.ratelimit.content.replay.Recordings;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Whatever is sent, the server answers, soon, and tells nothing about its inside.
 *
 * <p>The requests follow from a seed: {@code -Dfuzz.seed=7} repeats those of a failure; {@code -Dfuzz.requests=100} sends fewer.
 */
final class FuzzTest {

    private static final int REQUESTS =
            Integer.getInteger("fuzz.requests", Boolean.getBoolean("full") ? 100_000 : 2_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_120L);
    private static final Duration SLOWEST = Duration.ofSeconds(2);

    // Chosen: the share of the requests after which caches and pools are as full as they get.
    private static final int WARM_UP_PERCENT = 20;

    // Chosen: what was created stays, and the database's page cache grows with it up to its own bound.
    private static final long HEAP_GROWTH = 48L << 20;

    /** The answers of this status that clients know; any other is a fault of the server. */
    private static final Set<String> EXPECTED_FAULTS =
            Set.of("rest_trash_not_supported", "rest_upload_sideload_error", "rest_upload_unknown_error");

    private static final Pattern SCRIPT = Pattern.compile("/\\*\\*/[\\w.]+\\((.*)\\)", Pattern.DOTALL);

    private static final Pattern INSIDE = Pattern.compile(
            "(?i)\\b(java|javax|jdk|jakarta|org|com|io|tools)\\.[a-z0-9_]+\\.[\\w.$]+|\\w+Exception|\\.java:\\d|SQLSTATE|jdbc"
                    + "|\\bselect\\s.*\\sfrom\\b|\\binsert\\s+into\\b|\\bupdate\\s+\\w+\\s+set\\b|syntax error (in|at)|constraint"
                    + "|(^|[\\s\"'(])/(tmp|home|root|var|usr|work)/");

    private final TimeSource time = TimeSource.system();
    private final List<String> problems = new ArrayList<>();
    private final TreeMap<Integer, Integer> statuses = new TreeMap<>();
    private Duration slowest = Duration.ZERO;
    private String slowestRequest = "";

    @Test
    void everyRequestIsAnsweredSoonAndDiscreetly() {
        try (ReferenceServer server =
                        ReferenceServer.start(Database.valueOf(System.getProperty("fuzz.database", "H2")));
                WatchedLog log = WatchedLog.ofRequests()) {
            SiteClient site = new SiteClient(server.base());
            Recordings recordings = Recordings.ofTheProject();
            ContentSet content = ContentSet.load(site, Accounts.standard(), recordings);
            RequestGenerator generator =
                    new RequestGenerator(site, Accounts.standard(), recordings, IndexDocument.of(site), SEED);
            List.of("posts", "pages", "media")
                    .forEach(kind -> content.ids(kind).forEach(id -> generator.remember(String.valueOf(id))));

            new FramedParts(site, Accounts.standard().get("editor"))
                    .assertLinear(new Dice(SEED), Boolean.getBoolean("full") ? 2_000 : 30);
            int warmUp = REQUESTS * WARM_UP_PERCENT / 100;
            send(generator, warmUp);
            long before = usedHeap();
            send(generator, REQUESTS - warmUp);
            long growth = usedHeap() - before;

            System.out.printf(
                    "fuzz: %d requests, seed %d, statuses %s, heap %+d KiB, slowest %d ms: %.200s%n",
                    REQUESTS, SEED, statuses, growth >> 10, slowest.toMillis(), slowestRequest);
            assertThat(problems).isEmpty();
            assertThat(log.faults()).isEmpty();
            assertThat(growth).as("bytes of heap that did not come back").isLessThan(HEAP_GROWTH);
            assertThat(statuses.getOrDefault(200, 0) + statuses.getOrDefault(201, 0))
                    .as("requests that got through; with few of them this test would show little")
                    .isGreaterThan(REQUESTS / 10);
        }
    }

    private void send(RequestGenerator generator, int requests) {
        for (int i = 0; i < requests && problems.size() < 20; i++) {
            RequestGenerator.Generated request = generator.next();
            long start = time.nanoTime();
            try {
                Answer answer = request.call().send();
                check(request, answer, Duration.ofNanos(time.nanoTime() - start));
                if (answer.status() == 201) {
                    generator.remember(json(answer).path("id").asString("0"));
                }
            } catch (UncheckedIOException e) {
                problems.add("no answer: " + e.getMessage() + ": " + request.described());
            }
        }
    }

    private void check(RequestGenerator.Generated request, Answer answer, Duration took) {
        statuses.merge(answer.status(), 1, Integer::sum);
        if (took.compareTo(slowest) > 0) {
            slowest = took;
            slowestRequest = request.described();
        }
        if (took.compareTo(SLOWEST) > 0 && again(request).compareTo(SLOWEST) > 0) {
            problems.add(took.toMillis() + " ms: " + request.described());
        }
        if (answer.status() < 400) {
            return;
        }
        String code = json(answer).path("code").asString("");
        if (answer.status() >= 500 && !EXPECTED_FAULTS.contains(code)) {
            problems.add(answer.status() + " " + answer.text() + ": " + request.described());
        }
        Matcher inside = INSIDE.matcher(answer.text());
        if (inside.find()) {
            problems.add("tells '" + inside.group() + "' in " + answer.text() + ": " + request.described());
        }
    }

    /** How long it takes a second time: what was slow once may have waited for a busy machine. */
    private Duration again(RequestGenerator.Generated request) {
        long start = time.nanoTime();
        request.call().send();
        return Duration.ofNanos(time.nanoTime() - start);
    }

    /** What an answer says, also one that was asked for as a call of a script's function. */
    private static JsonNode json(Answer answer) {
        try {
            Matcher script = SCRIPT.matcher(answer.text());
            return script.matches() ? Json.read(script.group(1)) : answer.json();
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    /** What is in use once the collector has run; the least of a few looks, as it may be late. */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}

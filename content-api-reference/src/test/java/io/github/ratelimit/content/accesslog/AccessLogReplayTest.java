package io.github.ratelimit.content.accesslog;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.spring.boot.RateLimitAutoConfiguration;
import io.github.ratelimit.test.TestClock;
import jakarta.servlet.Filter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.FileSystemResource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class AccessLogReplayTest {

    private static final Instant START = Instant.parse("2026-11-01T12:00:00Z");
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern(
                    "dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final int REQUESTS = Boolean.getBoolean("full") ? 1_000_000 : 10_000;

    private static final String LIMITS = """
            ratelimit:
              limiters:
                search:
                  rules:
                    - { name: burst, permits: 3, window: 10s, key: [client-address, user-agent] }
                    - { name: hourly, permits: 100, window: 1h, key: [client-address] }
                login: { rules: [{ permits: 5, window: 1m, key: [client-address], skip-if: ["192.0.2.8/29"] }] }
                planned: { rules: [{ plans: { user-1: 2, user-2: 8 }, plan-by: principal, window: 1m, key: [principal] }] }
                users: { rules: [{ permits: 20, window: 1m, key: [principal] }] }
                tried: { shadow: true, rules: [{ permits: 1, window: 1m, key: ["header:Referer"] }] }
              http:
                exclude: [/health]
                paths:
                  - { pattern: /search, limiter: search }
                  - { pattern: /login, methods: [post], limiter: login }
                  - { pattern: /login, methods: [get], limiter: planned }
                  - { pattern: "/**", limiter: users, exclude: [/login] }
                  - { pattern: "/a b/**", limiter: tried }
            """;

    @TempDir
    private Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** A request, as a log tells of it. */
    private record Request(
            Instant at, String address, String user, String method, String target, String agent, String referer) {

        String line() {
            return "%s - %s [%s] \"%s %s?q=1 HTTP/1.1\" 200 17 \"%s\" \"%s\""
                    .formatted(address, user, MOMENT.format(at), method, target, referer, agent.replace("\"", "\\\""));
        }

        MockHttpServletRequest live() {
            MockHttpServletRequest request = new MockHttpServletRequest(method, target);
            request.setServletPath(target.replace("%20", " "));
            request.setRemoteAddr(address);
            request.addHeader("User-Agent", agent);
            if (!referer.equals("-")) {
                request.addHeader("Referer", referer);
            }
            if (!user.equals("-")) {
                request.setUserPrincipal(() -> user);
            }
            return request;
        }
    }

    /** The same ones each time, made as they are asked for. */
    private static final class Traffic {

        private static final List<String> TARGETS =
                List.of("/search", "/login", "/health", "/a%20b/c", "/other", "/search%2fx");

        private final Random random = new Random(7);
        private Instant at = START;

        Request next() {
            at = at.plusSeconds(random.nextInt(3) == 0 ? random.nextInt(3) : 0);
            int client = (int) (60 * Math.pow(random.nextDouble(), 3));
            return new Request(
                    at.minusSeconds(random.nextInt(50) == 0 ? 1 : 0), // written late
                    client % 7 == 0 ? "2001:db8::" + client : "192.0.2." + client,
                    random.nextBoolean() ? "-" : "user-" + client % 10,
                    random.nextInt(4) == 0 ? "POST" : "GET",
                    TARGETS.get(random.nextInt(6)),
                    "agent \"" + random.nextInt(3) + "\"",
                    random.nextBoolean() ? "-" : "https://example.org/" + random.nextInt(3));
        }
    }

    @Test
    void answersAreThoseOfTheLiveFilters() throws IOException {
        Path limits = file("limits.yml", LIMITS);
        Path log = directory.resolve("access.log");
        try (Writer lines = Files.newBufferedWriter(log)) {
            Traffic traffic = new Traffic();
            for (int i = 0; i < REQUESTS; i++) {
                lines.append(traffic.next().line()).append('\n');
            }
        }
        BitSet replayed = replayed(log, limits);
        BitSet live = live(limits);
        assertThat(replayed).isEqualTo(live);
        assertThat(live.cardinality()).as("served").isBetween(REQUESTS / 10, REQUESTS / 10 * 9);
    }

    private static BitSet replayed(Path log, Path limits) throws IOException {
        TimeSource time = TimeSource.system();
        BitSet served = new BitSet(REQUESTS);
        long start = time.nanoTime();
        try (AccessLogReplay replay = new AccessLogReplay(limits);
                LogLines lines = LogLines.of(log)) {
            String line = lines.next();
            for (int i = 0; line != null; i++) {
                String following = lines.next();
                served.set(i, replay.next(line, following));
                line = following;
            }
        }
        System.out.printf("%d lines replayed in %.1f s%n", REQUESTS, (time.nanoTime() - start) / 1e9);
        return served;
    }

    private static BitSet live(Path limits) {
        BitSet served = new BitSet(REQUESTS);
        TestClock clock = new TestClock();
        new WebApplicationContextRunner()
                .withInitializer(context -> {
                    try {
                        new YamlPropertySourceLoader()
                                .load("limits", new FileSystemResource(limits))
                                .forEach(context.getEnvironment().getPropertySources()::addLast);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .withBean(TimeSource.class, () -> clock)
                .withConfiguration(AutoConfigurations.of(
                        RateLimitAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    List<Filter> filters = filters(context);
                    Traffic traffic = new Traffic();
                    Instant now = START.minusSeconds(1);
                    for (int i = 0; i < REQUESTS; i++) {
                        Request request = traffic.next();
                        Instant at = request.at().isAfter(now) ? request.at() : now;
                        clock.advance(Duration.between(now, at));
                        now = at;
                        served.set(i, serve(filters, request));
                    }
                });
        return served;
    }

    @SuppressWarnings("rawtypes")
    private static List<Filter> filters(ApplicationContext context) {
        List<Filter> filters = new ArrayList<>();
        context.getBeansOfType(FilterRegistrationBean.class).values().stream()
                .filter(FilterRegistrationBean::isEnabled)
                .sorted(Comparator.comparingInt(FilterRegistrationBean::getOrder))
                .forEach(registration -> filters.add(requireNonNull(registration.getFilter())));
        assertThat(filters).hasSizeGreaterThanOrEqualTo(2);
        return filters;
    }

    private static boolean serve(List<Filter> filters, Request request) throws Exception {
        MockHttpServletRequest asked = request.live();
        for (Filter filter : filters) {
            MockHttpServletResponse response = new MockHttpServletResponse();
            MockFilterChain chain = new MockFilterChain();
            filter.doFilter(asked, response, chain);
            if (chain.getRequest() == null) {
                return false;
            }
        }
        return true;
    }

    @Test
    void oneLineOfAnotherTimeHoldsUpNobodyAndSilenceForDaysIsBelieved() throws IOException {
        Path limits = file("limits.yml", "ratelimit.limiters.all.rules: [{ permits: 2, window: 1m }]\n");
        String log = Stream.of(
                        START.plus(Duration.ofDays(9_999)), // the first line may be the wrong one
                        START,
                        START,
                        START.plus(Duration.ofDays(9_999)),
                        START,
                        START.plusSeconds(60),
                        START.minus(Duration.ofDays(2)),
                        START.plus(Duration.ofDays(3)),
                        START.plus(Duration.ofDays(3)),
                        START.plus(Duration.ofDays(30)))
                .map(at -> new Request(at, "192.0.2.1", "-", "GET", "/any", "curl", "-").line() + "\n")
                .collect(Collectors.joining());
        assertThat(run(0, file("access.log", log), limits)).startsWith("""
                        10 lines, 2026-11-01T12:00:00Z to 2026-11-04T12:01:00Z
                        1 would be refused (16.67 %)
                        4 were left out, as they are more than a day from the lines around them, first line 1: 192.0.2.1 - - [18/Mar/2054:12:00:00 +0000] "GET /any?q=1 HTTP/1.1" 200 17 "-" "curl"
                        """);
    }

    @Test
    void reportSaysWhoIsRefusedWhenAndByWhat() throws IOException {
        Path limits = file("limits.yml", LIMITS);
        StringBuilder log = new StringBuilder("no request\n");
        for (int i = 0; i < 6; i++) {
            log.append(new Request(START.plusSeconds(i), "192.0.2.1", "ann", "GET", "/search", "curl", "-").line())
                    .append('\n');
        }
        log.append("192.0.2.2 - - [01/Nov/2026:12:02:00 +0000] \"GET /other HTTP/1.1\" 200 -\n"); // common format
        Path picture = directory.resolve("picture.svg");
        String report = run(0, file("access.log", log.toString()), limits, picture);
        assertThat(report).isEqualTo("""
                        8 lines, 2026-11-01T12:00:00Z to 2026-11-01T12:03:00Z
                        3 would be refused (42.86 %)
                        1 were not read, first line 1: no request

                        limit                                         asked    refused  clients  first and last refusal
                        search / burst                                    6          3        1  2026-11-01T12:00:03Z  2026-11-01T12:00:05Z
                        search / hourly                                   6          0        0
                        users                                             4          0        0

                        Most refused by search / burst
                                 3  ann at 192.0.2.1
                        """);
        assertThat(Files.readString(picture))
                .contains("<title>2026-11-01T12:00:00Z: 3 served, 3 refused</title>")
                .contains("<title>2026-11-01T12:02:00Z: 1 served, 0 refused</title>");
    }

    @Test
    void commandOfTheManualReplaysItsLineAgainstItsLimits() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "access-log.md"));
        String arguments = found(page, "content-api-reference\\.jar replay (.*)");
        assertThat(arguments).isEqualTo("access.log limits.yml picture.svg");
        file("access.log", (found(page, "(192\\.0\\.2\\.7 - ann .*)") + "\n").repeat(11));
        file("limits.yml", found(page, "(?s)```yaml\n(.*?)```"));
        String report =
                run(0, Stream.of(arguments.split(" ")).map(directory::resolve).toArray(Path[]::new));
        assertThat(report).contains(found(page, "(limit  +asked .*)"), "1 would be refused (9.09 %)");
        assertThat(directory.resolve("picture.svg")).isNotEmptyFile();
    }

    private static String found(String page, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(page);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    @Test
    void limiterThatNoPathNamesIsAskedAboutEveryRequest() throws IOException {
        Path limits = file("limits.yml", "ratelimit.limiters.all.rules: [{ permits: 2, window: 1m }]\n");
        String line = new Request(START, "192.0.2.1", "-", "GET", "/any", "curl", "-").line();
        try (AccessLogReplay replay = new AccessLogReplay(limits)) {
            assertThat(List.of(replay.next(line, line), replay.next(line, line), replay.next(line, null)))
                    .containsExactly(true, true, false);
        }
    }

    @Test
    void logIsReadCompressedOrNotWhateverItsLinesEndWithAndHoweverLongTheyAre() throws IOException {
        Path limits = file("limits.yml", "ratelimit.limiters.all.rules: [{ permits: 1, window: 1m }]\n");
        String line = new Request(START, "192.0.2.1", "a\u001b[2Jnn", "GET", "/any", "curl", "-").line();
        String text = line + "\r\n" + "\u001b]0;owned\u0007" + "x".repeat(1 << 20) + "\n" + line;
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream to = new GZIPOutputStream(compressed)) {
            to.write(bytes);
        }
        Path log = Files.write(directory.resolve("access.log"), bytes);
        Path gzip = Files.write(directory.resolve("access.log.1.gz"), compressed.toByteArray());
        assertThat(run(0, log, limits))
                .contains(
                        "3 lines,",
                        "1 would be refused",
                        "1 were not read, first line 2: ?]0;owned?xxx",
                        "1  a?[2Jnn at 192.0.2.1")
                .isEqualTo(run(0, gzip, limits));

        Path broken = Files.write(directory.resolve("broken.gz"), Arrays.copyOf(compressed.toByteArray(), 100));
        assertThat(run(2, broken, limits)).startsWith("cannot read or write: ");
    }

    @Test
    void logOfAnotherFormIsAMistake() throws IOException {
        Path limits = file("limits.yml", LIMITS);
        assertThat(run(2, file("access.log", ""), limits)).contains("No line of the log is a request");
        assertThat(run(2, file("access.json", "{\"request\":\"GET / HTTP/1.1\"}\n"), limits))
                .contains("No line of the log is a request in the combined format. First line 1: {\"request\"");
    }

    @Test
    void mistakesAreToldAndNotThrown() throws IOException {
        Path log = file("access.log", "");
        assertThat(run(2, directory, file("limits.yml", LIMITS))).startsWith("cannot read or write: ");
        assertThat(run(2)).startsWith("usage: ");
        assertThat(run(2, log, directory.resolve("none.yml"))).contains("none.yml");
        assertThat(run(2, log, file("wrong.yml", "ratelimit.limiters.a.rules: [{ permits: 0, window: 1m }]\n")))
                .contains("ratelimit.limiters.a.rules[0].permits");
        assertThat(run(
                        2,
                        log,
                        file("bean.yml", "ratelimit.limiters.a.rules: [{ permits: 1, window: 1m, key: mine }]\n")))
                .contains("mine");
    }

    private static String run(int status, Path... arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
        assertThat(ReplayCommand.run(
                        List.of(arguments).stream().map(Path::toString).toList(), to, to))
                .isEqualTo(status);
        return said.toString(StandardCharsets.UTF_8);
    }
}

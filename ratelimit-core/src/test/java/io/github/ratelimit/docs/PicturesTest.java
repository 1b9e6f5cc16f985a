package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Rule;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The pictures of the documents are what this draws; what they show of limits is what a limiter answered. {@code -Dpictures=write} writes them
 * anew.
 */
class PicturesTest {

    private static final Path PICTURES = Path.of("..", "docs", "pictures");

    /** A row of the comparison: the store, the work, the other library, the ratio, and the ratio by the clock. */
    private static final Pattern SPEED =
            Pattern.compile("\\| (\\w+), (.+?) \\| (.+?) \\| ([\\d.]+)( \\([\\d.]+\\))? \\|");

    private static final Map<String, String> HEADINGS = Map.of(
            "memory", "In memory: decisions in a second of processor time (in brackets: by the clock)",
            "Redis", "On Redis: decisions a second",
            "PostgreSQL", "On PostgreSQL: decisions a second");

    private static final double SPEED_DOUBLED = 45;

    private static void isUpToDate(String name, Picture picture) throws IOException {
        Path file = PICTURES.resolve(name);
        if ("write".equals(System.getProperty("pictures"))) {
            Files.createDirectories(PICTURES);
            Files.writeString(file, picture.toString());
        }
        assertThat(file).as("run with -Dpictures=write").hasContent(picture.toString());
    }

    /** Four permits, and the same nine requests under each shape. Midnight is after 75 seconds. */
    @Test
    void shapes() throws IOException {
        Limit limit = Limit.of(4, Duration.ofSeconds(60));
        Map<String, Limit> rows = new LinkedHashMap<>();
        rows.put("fixed window: all permits return 60 s after the first request", limit);
        rows.put("bucket: one permit returns every 15 s", limit.bucket());
        rows.put("sliding window: each permit returns 60 to 80 s after it was taken", limit.sliding());
        rows.put("fixed window that blocks for 40 s", limit.blocking(Duration.ofSeconds(40)));
        rows.put("day: all permits return at midnight", Limit.daily("default", 4, ZoneOffset.UTC));
        Picture picture = new Picture(760, 125 + 70 * rows.size(), "Nine requests of one client, under five shapes");
        picture.text(20, 30, "4 permits in 60 seconds, and nine requests of one client");
        int y = 70;
        for (Map.Entry<String, Limit> row : rows.entrySet()) {
            draw(picture, y, row.getKey(), row.getValue());
            y += 70;
        }
        for (int second = 0; second <= 140; second += 20) {
            picture.middle(x(second), y - 5, second + " s");
        }
        picture.dot(26, y + 18, Picture.GOOD).text(40, y + 23, "allowed: permits left");
        picture.dot(216, y + 18, Picture.BAD).text(230, y + 23, "rejected: seconds to wait");
        picture.area(426, y + 9, 30, 18, Picture.CALM).text(464, y + 23, "window");
        picture.line(560, y + 8, 560, y + 28).text(570, y + 23, "midnight");
        isUpToDate("shapes.svg", picture);
    }

    private static void draw(Picture picture, int y, String label, Limit limit) {
        TestClock clock = new TestClock(Instant.parse("2026-11-20T23:58:45Z"));
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("pictured", limit, Key::of), InProcessStore.create(clock));
        boolean isDay = limit.shape().kind() == Shape.Kind.CALENDAR;
        boolean hasWindows =
                limit.shape().kind() != Shape.Kind.BUCKET && limit.shape().kind() != Shape.Kind.SLIDING;
        Picture dots = picture.layer();
        double begin = isDay ? 0 : -1;
        double end = -1;
        int now = 0;
        for (int second : new int[] {1, 4, 7, 10, 15, 40, 66, 84, 118}) {
            clock.advance(Duration.ofSeconds(second - now));
            now = second;
            Decision decision = limiter.tryAcquire("ann");
            LimitStatus status = decision.statuses().get(0);
            dots.dot(x(second), y + 15, decision.allowed() ? Picture.GOOD : Picture.BAD);
            long told = decision.allowed()
                    ? status.remaining()
                    : status.retryAfter().orElseThrow().toSeconds();
            dots.middle(x(second), y + 36, told + (decision.allowed() ? "" : " s"));
            if (hasWindows) {
                if (end >= 0 && now >= end) { // another window than that of the request before
                    window(picture, y, begin, end);
                    begin = isDay ? end : now;
                } else if (begin < 0) {
                    begin = now;
                }
                end = now + status.resetAfter().toSeconds();
            }
        }
        if (hasWindows) {
            window(picture, y, begin, end);
        }
        picture.text(30, y, label).line(20, y + 15, 740, y + 15).add(dots);
        if (isDay) {
            picture.line(x(75), y - 4, x(75), y + 34);
        }
    }

    private static void window(Picture picture, int y, double begin, double end) {
        picture.area(x(begin), y + 6, x(Math.min(142, end)) - x(begin), 18, Picture.CALM);
    }

    private static double x(double second) {
        return 30 + second * 5;
    }

    /** Four browsers behind one address, each with another agent: none comes near its own budget, all together spend the hour's. */
    @Test
    void twoBudgets() throws IOException {
        TestClock clock = new TestClock();
        LimiterSpec<String> spec = new LimiterSpec<>(
                "widget-init",
                List.of(
                        Rule.of(
                                Limit.of("burst", 1000, Duration.ofMinutes(1)),
                                agent -> Key.of("address").and(Key.of(agent))),
                        Rule.of(Limit.of("hourly", 30_000, Duration.ofHours(1)), agent -> Key.of("address"))));
        Limiter<String> limiter = Limiter.of(spec, InProcessStore.create(clock));
        StringBuilder burst = new StringBuilder();
        StringBuilder hourly = new StringBuilder();
        for (int minute = 0; minute < 75; minute++) {
            for (int browser = 0; browser < 4; browser++) {
                for (int i = 0; i < 250; i++) {
                    limiter.tryAcquire("agent-" + browser);
                }
            }
            List<LimitStatus> statuses = limiter.tryAcquire("agent-0", 0).statuses();
            double x = 60 + minute * 9;
            append(burst, x, 160 - statuses.get(0).remaining() / 1000.0 * 90);
            append(hourly, x, 290 - statuses.get(1).remaining() / 30_000.0 * 90);
            clock.advance(Duration.ofMinutes(1));
        }
        Picture picture = new Picture(
                        760, 340, "The two budgets of the widget's init: by address and agent, and by address")
                .text(
                        20,
                        30,
                        "Four browsers behind one address, 250 requests a minute each: one decision over two limits.")
                .text(60, 54, "burst: 1000 a minute, by address and agent (what one browser has left)")
                .curve(burst.toString(), Picture.GOOD)
                .line(60, 160, 735, 160)
                .text(60, 190, "hourly: 30 000 an hour, by address (what all of them have left)")
                .curve(hourly.toString(), Picture.LINE)
                .line(60, 290, 735, 290);
        for (int minute = 0; minute < 75; minute += 15) {
            picture.middle(60 + minute * 9, 312, minute + " min");
        }
        isUpToDate("two-budgets.svg", picture);
    }

    private static void append(StringBuilder points, double x, double y) {
        points.append(Picture.number(x)).append(',').append(Picture.number(y)).append(' ');
    }

    @Test
    void wayOfARequest() throws IOException {
        Picture picture = new Picture(760, 310, "The way of a request through an application on Spring Boot")
                .text(
                        20,
                        30,
                        "Each arrow down is one decision about all limits. A rejected request takes no permits and gets 429.")
                .text(20, 50, "A rejection after authentication gives back the permits that were taken before.")
                .box(20, 80, 70, 80, "request")
                .arrow(90, 120, 115, 120)
                .box(115, 80, 165, 80, "filter", "before authentication:", "address, agent")
                .arrow(280, 120, 305, 120)
                .box(305, 80, 110, 80, "Spring", "Security")
                .arrow(415, 120, 440, 120)
                .box(440, 80, 155, 80, "filter", "after authentication:", "user, attribute")
                .arrow(595, 120, 620, 120)
                .box(620, 80, 120, 80, "controller", "@RateLimit")
                .arrow(197, 160, 197, 230)
                .arrow(517, 160, 517, 230)
                .arrow(680, 160, 680, 230)
                .box(
                        115,
                        230,
                        625,
                        60,
                        "store: memory, Redis or PostgreSQL",
                        "takes permits of all limits of the decision or of none");
        isUpToDate("request.svg", picture);
    }

    @Test
    void topology() throws IOException {
        Picture picture = new Picture(760, 330, "Several nodes that share limits")
                .text(
                        20,
                        30,
                        "A decision is one call to the server that holds the client's counters. The server's clock decides.")
                .box(20, 130, 100, 60, "clients")
                .arrow(120, 160, 150, 160)
                .box(150, 130, 140, 60, "proxy", "in trusted-proxies");
        for (int node = 0; node < 3; node++) {
            double y = 60 + node * 80;
            picture.arrow(290, 160, 330, y + 30).box(330, y, 160, 60, "node " + (node + 1), "memory as fallback");
            picture.arrow(490, y + 30, 545, 140 + node * 20);
        }
        picture.box(545, 110, 195, 100, "Redis", "(single, Sentinel, Cluster)", "or PostgreSQL")
                .text(
                        20,
                        310,
                        "If the server does not answer, each limiter follows its policy: local (memory), allow or reject.");
        isUpToDate("topology.svg", picture);
    }

    /** The rows of the comparison's table "Speed", on a logarithmic scale: a bar to the right is an advantage, one to the left a loss. */
    @Test
    void ratios() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "comparison.md"));
        String table = page.substring(page.indexOf("\n## Speed"), page.indexOf("\n## From"));
        Map<String, List<MatchResult>> groups = SPEED.matcher(table)
                .results()
                .collect(Collectors.groupingBy(row -> row.group(1), LinkedHashMap::new, Collectors.toList()));
        assertThat(groups).hasSizeGreaterThan(1);
        int rows = groups.values().stream().mapToInt(List::size).sum();
        int height = 100 + 30 * rows + 40 * groups.size();
        Picture picture = new Picture(760, height, "Decisions a second, compared with other libraries");
        double y = 40;
        for (Map.Entry<String, List<MatchResult>> group : groups.entrySet()) {
            picture.text(20, y, HEADINGS.getOrDefault(group.getKey(), group.getKey()));
            y += 10;
            for (int tick = -1; tick <= 5; tick++) {
                picture.area(
                        430 + tick * SPEED_DOUBLED, y, 1, 30 * group.getValue().size(), Picture.CALM);
            }
            for (MatchResult row : group.getValue()) {
                double ratio = Double.parseDouble(row.group(4));
                double length = Math.log(ratio) / Math.log(2) * SPEED_DOUBLED;
                picture.text(30, y + 15, row.group(3).replace("`", "") + ", " + row.group(2))
                        .area(
                                430 + Math.min(0, length),
                                y,
                                Math.abs(length),
                                20,
                                ratio < 1 ? Picture.BAD : Picture.GOOD)
                        .text(438 + Math.max(0, length), y + 15, row.group(4) + Objects.toString(row.group(5), ""));
                y += 30;
            }
            y += 30;
        }
        for (int tick = -1; tick <= 5; tick++) {
            picture.middle(430 + tick * SPEED_DOUBLED, y - 12, tick < 0 ? "0.5" : Integer.toString(1 << tick));
        }
        picture.text(
                20,
                height - 15,
                "1: as fast as the other. Red: this library is slower. Commands: docs/design/benchmarks.md");
        isUpToDate("ratios.svg", picture);
    }

    /** The table of many nodes, on logarithmic scales: a curve for each way. */
    @Test
    void nodes() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "design", "benchmarks.md"));
        List<String[]> rows = page.lines()
                .filter(line -> line.matches("\\| \\d+ \\| (calls|permits ahead) .*"))
                .map(line -> line.substring(2).replace(",", "").split(" \\| ?"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(4);
        Picture picture = new Picture(760, 300, "Decisions and scripts on one key of Redis, by nodes")
                .text(20, 30, "1 to 100 nodes on one key of one Redis server. Both scales are logarithmic.");
        Map<String, Integer> panels = new LinkedHashMap<>();
        panels.put("granted/s", 2);
        panels.put("scripts/s", 3);
        panels.put("half the limit: rejected/s", 5);
        int left = 70;
        for (Map.Entry<String, Integer> panel : panels.entrySet()) {
            picture.text(left, 60, panel.getKey()).line(left, 240, left + 180, 240);
            for (int power = 2; power <= 5; power++) {
                double y = 240 - (power - 2) * 50;
                picture.area(left, y, 180, 1, Picture.CALM);
                if (left < 100) {
                    picture.text(20, y + 5, "10^" + power);
                }
            }
            for (int nodes = 1; nodes <= 100; nodes *= 10) {
                picture.middle(left + 90 * Math.log10(nodes), 258, Integer.toString(nodes));
            }
            for (String way : List.of("calls", "permits ahead")) {
                StringBuilder points = new StringBuilder();
                for (String[] row : rows) {
                    if (row[1].equals(way)) {
                        append(points, panel(row[0], 0, left, 90), panel(row[panel.getValue()], 2, 240, -50));
                    }
                }
                picture.curve(points.toString(), way.equals("calls") ? Picture.BAD : Picture.GOOD);
            }
            left += 230;
        }
        picture.dot(26, 280, Picture.BAD).text(40, 285, "calls");
        picture.dot(146, 280, Picture.GOOD)
                .text(160, 285, "permits ahead (100 nodes ask for more than the machine carries)");
        isUpToDate("nodes.svg", picture);
    }

    private static double panel(String figure, int leastPower, double at, double ofAPower) {
        return at + (Math.log10(Double.parseDouble(figure)) - leastPower) * ofAPower;
    }
}

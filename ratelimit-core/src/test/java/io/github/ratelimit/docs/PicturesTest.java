package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The pictures of the documents are what this draws; what they show of limits is what a limiter answered. {@code -Dpictures=write} writes them
 * anew.
 */
class PicturesTest {

    private static final Path PICTURES = Path.of("..", "docs", "pictures");

    /** A row of the comparison: what is done, compared with what, and the ratio. */
    private static final Pattern SPEED = Pattern.compile("\\| (.+?) \\| (.+?) \\| ([\\d.]+) \\|");

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
        rows.put("fixed window: all are back 60 s after the first request", limit);
        rows.put("bucket: one comes back each 15 s", limit.bucket());
        rows.put("sliding window: none is back before 60 s, and each by 80 s", limit.sliding());
        rows.put("fixed window that blocks for 40 s", limit.blocking(Duration.ofSeconds(40)));
        rows.put("day: all are back at midnight", Limit.daily("default", 4, ZoneOffset.UTC));
        Picture picture = new Picture(760, 100 + 70 * rows.size(), "Nine requests of one client, under five shapes");
        picture.text(20, 30, "4 permits in 60 seconds, and nine requests of one client");
        int y = 70;
        for (Map.Entry<String, Limit> row : rows.entrySet()) {
            draw(picture, y, row.getKey(), row.getValue());
            y += 70;
        }
        for (int second = 0; second <= 140; second += 20) {
            picture.middle(x(second), y - 15, second + " s");
        }
        picture.dot(26, y + 8, Picture.GOOD).text(40, y + 13, "allowed, and how many are left");
        picture.dot(276, y + 8, Picture.BAD).text(290, y + 13, "rejected, and how many seconds to wait");
        isUpToDate("shapes.svg", picture);
    }

    private static void draw(Picture picture, int y, String label, Limit limit) {
        TestClock clock = new TestClock(Instant.parse("2026-11-20T23:58:45Z"));
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("pictured", limit, Key::of), InProcessStore.create(clock));
        picture.text(30, y, label).line(20, y + 15, 740, y + 15);
        int now = 0;
        for (int second : new int[] {10, 22, 34, 46, 56, 66, 84, 98, 118}) {
            clock.advance(Duration.ofSeconds(second - now));
            now = second;
            Decision decision = limiter.tryAcquire("ann");
            LimitStatus status = decision.statuses().get(0);
            picture.dot(x(second), y + 15, decision.allowed() ? Picture.GOOD : Picture.BAD);
            long told = decision.allowed()
                    ? status.remaining()
                    : status.retryAfter().orElseThrow().toSeconds();
            picture.middle(x(second), y + 36, told + (decision.allowed() ? " left" : " s"));
        }
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
        Picture picture = new Picture(760, 330, "The way of a request through an application on Spring Boot")
                .text(20, 30, "Limiters of one phase are one decision. Who is rejected costs nothing, and sees 429.")
                .box(20, 60, 110, 60, "request")
                .arrow(130, 90, 165, 90)
                .box(165, 60, 160, 60, "filter, order -110", "by address, agent")
                .arrow(325, 90, 360, 90)
                .box(360, 60, 150, 60, "authentication", "Spring Security")
                .arrow(510, 90, 545, 90)
                .box(545, 60, 195, 60, "filter, order -90", "by principal, attribute")
                .arrow(642, 120, 642, 170)
                .box(545, 170, 195, 60, "controller", "@RateLimit, where no", "path was limited")
                .arrow(245, 120, 245, 250)
                .arrow(560, 120, 300, 250)
                .arrow(545, 215, 330, 262)
                .box(165, 250, 165, 56, "store", "one call, all or nothing")
                .text(20, 180, "known from the start:")
                .text(20, 200, "before authentication")
                .text(350, 300, "known after sign-in: after authentication; a rejection there")
                .text(350, 318, "gives the first phase's permits back");
        isUpToDate("request.svg", picture);
    }

    @Test
    void topology() throws IOException {
        Picture picture = new Picture(760, 330, "Several nodes that share limits by Redis")
                .text(
                        20,
                        30,
                        "Each decision is one call to the Redis that holds the client's counters; its clock alone decides.")
                .box(20, 130, 110, 60, "clients")
                .arrow(130, 160, 165, 160)
                .box(165, 130, 140, 60, "proxy", "in trusted-proxies");
        for (int node = 0; node < 3; node++) {
            double y = 60 + node * 80;
            picture.arrow(305, 160, 345, y + 30).box(345, y, 150, 60, "node " + (node + 1), "fallback in memory");
            picture.arrow(495, y + 30, 570, 160);
        }
        picture.box(570, 120, 170, 80, "Redis", "single, Sentinel", "or Cluster")
                .text(
                        20,
                        310,
                        "While Redis does not answer, each limiter does what it says: local (the fallback), allow or reject.");
        isUpToDate("topology.svg", picture);
    }

    /** The rows of the comparison's table "Speed", on a logarithmic scale: a bar to the right is an advantage, one to the left a loss. */
    @Test
    void ratios() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "comparison.md"));
        String table = page.substring(page.indexOf("\n## Speed"), page.indexOf("\n## From"));
        List<MatchResult> rows = SPEED.matcher(table).results().toList();
        assertThat(rows).hasSizeGreaterThan(5);
        Picture picture = new Picture(
                        760, 90 + 30 * rows.size(), "Work and decisions a second, compared with other libraries")
                .text(20, 30, "In memory: how much less processor time. On Redis: how many more decisions a second.");
        double y = 50;
        for (MatchResult row : rows) {
            double ratio = Double.parseDouble(row.group(3));
            double length = Math.log(ratio) / Math.log(2) * 40;
            picture.text(20, y + 15, row.group(2) + " (" + row.group(1) + ")")
                    .area(460 + Math.min(0, length), y, Math.abs(length), 20, ratio < 1 ? Picture.BAD : Picture.GOOD)
                    .text(468 + Math.max(0, length), y + 15, row.group(3));
            y += 30;
        }
        picture.line(460, 45, 460, y)
                .text(20, y + 22, "Logarithmic. Red: this library is slower. Commands: docs/design/benchmarks.md");
        isUpToDate("ratios.svg", picture);
    }
}

package io.github.ratelimit.spring.internal.properties;

import static io.github.ratelimit.spring.internal.properties.ConfiguredLimiters.given;
import static io.github.ratelimit.spring.internal.properties.ConfiguredLimiters.valid;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.CalendarWindow.Unit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.properties.RuleProperties.ShapeName;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/** Makes a limit of the properties of a rule: its window and its shape. */
final class ConfiguredLimit {

    private static final String CALENDAR = "a window of the calendar, for example month";
    private static final Duration LEASE = Duration.ofMinutes(1);

    private ConfiguredLimit() {}

    static Limit of(String path, String name, long permits, RuleProperties rule) {
        Limit limit = ofShape(path, name, permits, rule);
        return valid(path + ".soft", () -> limit.withSoft(Boolean.TRUE.equals(rule.soft())));
    }

    private static Limit ofShape(String path, String name, long permits, RuleProperties rule) {
        boolean concurrent = rule.shape() == ShapeName.CONCURRENT;
        only(path + ".lease", rule.lease(), concurrent, "shape: concurrent");
        if (!concurrent) {
            return ofWindow(path, name, permits, rule);
        }
        only(path + ".window", rule.window(), false, "a shape other than concurrent");
        only(path + ".zone", rule.zone(), false, CALENDAR);
        only(path + ".anchor", rule.anchor(), false, CALENDAR);
        only(path + ".anchor-by", rule.anchorBy(), false, CALENDAR);
        only(path + ".burst", rule.burst(), false, "shape: bucket");
        only(path + ".block", rule.block(), false, "a window of a length and no shape");
        Duration lease = rule.lease() == null ? LEASE : rule.lease();
        return valid(path + ".lease", () -> Limit.concurrent(name, permits, lease));
    }

    private static Limit ofWindow(String path, String name, long permits, RuleProperties rule) {
        Window window =
                given(path + ".window", rule.window(), "the period to count over, for example 1m, day, week or month");
        Duration length = window.length();
        only(path + ".zone", rule.zone(), length == null, CALENDAR);
        only(path + ".anchor", rule.anchor(), length == null, CALENDAR);
        only(path + ".anchor-by", rule.anchorBy(), length == null, CALENDAR);
        only(path + ".shape", rule.shape(), length != null, "a window of a length, for example 24h");
        only(path + ".burst", rule.burst(), rule.shape() == ShapeName.BUCKET, "shape: bucket");
        only(
                path + ".block",
                rule.block(),
                length != null && rule.shape() == null,
                "a window of a length and no shape");
        if (length == null) {
            Unit unit = Unit.named(window.text()).orElseThrow();
            CalendarWindow whole = CalendarWindow.of(unit, rule.zone() == null ? ZoneOffset.UTC : rule.zone());
            String anchor = rule.anchor();
            return Limit.calendar(
                    name,
                    permits,
                    anchor == null ? whole : valid(path + ".anchor", () -> whole.from(anchor(anchor, unit))));
        }
        valid(path + ".window", () -> Limit.of(name, 1, length));
        Limit fixed = Limit.of(name, permits, length);
        if (rule.shape() == ShapeName.BUCKET) {
            return valid(path + ".burst", () -> rule.burst() == null ? fixed.bucket() : fixed.bucket(rule.burst()));
        }
        if (rule.shape() == ShapeName.SLIDING) {
            return valid(path + ".shape", fixed::sliding);
        }
        Duration block = rule.block();
        return block == null ? fixed : valid(path + ".block", () -> fixed.blocking(block));
    }

    private static LocalDate anchor(String text, Unit unit) {
        for (DayOfWeek first : DayOfWeek.values()) {
            if (unit == Unit.WEEK && first.name().equalsIgnoreCase(text)) {
                return CalendarWindow.FIRST.with(TemporalAdjusters.nextOrSame(first));
            }
        }
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'%s' is no date; write for example 2026-01-31, or for a week its first day, such as sunday"
                            .formatted(text),
                    e);
        }
    }

    private static void only(String property, @Nullable Object value, boolean fits, String beside) {
        if (value != null && !fits) {
            throw new InvalidRateLimitException(
                    "%s: goes only with %s".formatted(property, beside),
                    "write %s, or leave %s out".formatted(beside, property.substring(property.lastIndexOf('.') + 1)));
        }
    }
}

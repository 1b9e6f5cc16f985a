package io.github.ratelimit.spring.diagnostics;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Rule;
import io.github.ratelimit.Shape;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.autoconfigure.properties.HttpKeyResolvers.NamedKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Rules in words. */
public final class RuleText {

    private RuleText() {}

    /** The names of the parts that a rule counts by, as properties write them. */
    public static List<String> key(Rule<HttpCall> rule) {
        KeyResolver<?> key = rule.key();
        if (key instanceof NamedKey named) {
            return named.parts();
        }
        if (key instanceof ClientAddress) {
            return List.of("client-address");
        }
        return List.of(key == KeyResolver.everybody() ? "everybody" : "a resolver of the application's own");
    }

    /** {@code burst: 10 in 1s by client-address + user-agent}, with plans {@code burst: free 10, pro 99 in 1s by …}. */
    public static String line(Rule<HttpCall> rule) {
        Limit any = rule.limits().get(0);
        String permits = rule.plans().isEmpty()
                ? Long.toString(any.permits())
                : rule.plans().entrySet().stream()
                        .map(plan -> plan.getKey() + " " + plan.getValue().permits())
                        .collect(Collectors.joining(", "));
        return "%s: %s %s by %s".formatted(any.name(), permits, window(any), String.join(" + ", key(rule)));
    }

    /**
     * {@code in 1m}, {@code in 1m, bucket of 20}, {@code in a day of Europe/Berlin}, {@code in a month of UTC from 2026-01-31}, {@code at a time,
     * lease 1m}.
     */
    private static String window(Limit limit) {
        Shape shape = limit.shape();
        String length = "in " + shown(limit.window());
        return switch (shape.kind()) {
            case FIXED -> length;
            case BUCKET -> length + ", bucket of " + limit.capacity();
            case SLIDING -> length + ", sliding";
            case BLOCKING -> length + ", blocking " + shown(shape.block());
            case CONCURRENT -> "at a time, lease " + shown(limit.window());
            case CALENDAR -> "in " + calendar(requireNonNull(shape.calendar()));
        };
    }

    private static String calendar(CalendarWindow window) {
        String from = window.anchor().equals(CalendarWindow.FIRST) ? "" : " from " + window.anchor();
        return "a " + window.unit() + " of " + window.zone() + from;
    }

    /** The shape's name for readers: {@code fixed-window}, {@code bucket}, {@code day}. */
    public static String name(Limit limit) {
        return limit.shape().kind() == Shape.Kind.FIXED
                ? "fixed-window"
                : limit.shape().name();
    }

    /** As properties take it, and so in one unit. */
    private static String shown(Duration window) {
        Unit unit = Stream.of(Unit.DAYS, Unit.HOURS, Unit.MINUTES, Unit.SECONDS)
                .filter(each ->
                        window.toMillis() % each.asChronoUnit().getDuration().toMillis() == 0)
                .findFirst()
                .orElse(Unit.MILLIS);
        return DurationFormatterUtils.print(window, DurationFormat.Style.SIMPLE, unit);
    }
}

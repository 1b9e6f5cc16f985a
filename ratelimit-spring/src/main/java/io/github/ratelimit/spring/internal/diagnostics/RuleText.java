package io.github.ratelimit.spring.internal.diagnostics;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.internal.Durations;
import io.github.ratelimit.spring.internal.properties.HttpKeyResolvers.NamedKey;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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

    /** {@code burst: 10 in 1s by client-address + user-agent}, with plans {@code burst: free 10, pro 99 in 1s by …}, soft {@code burst: soft 10 in 1s by …}. */
    public static String line(Rule<HttpCall> rule) {
        Limit any = rule.limits().get(0);
        String permits = rule.plans().isEmpty()
                ? Long.toString(any.permits())
                : rule.plans().entrySet().stream()
                        .map(plan -> plan.getKey() + " " + plan.getValue().permits())
                        .collect(Collectors.joining(", "));
        String soft = any.soft() ? "soft " : "";
        return "%s: %s%s %s by %s".formatted(any.name(), soft, permits, window(any), String.join(" + ", key(rule)));
    }

    /**
     * {@code in 1m}, {@code in 1m, bucket of 20}, {@code a day (Europe/Berlin)}, {@code a week (UTC), from Sunday}, {@code at a time,
     * lease 1m}.
     */
    static String window(Limit limit) {
        Shape shape = limit.shape();
        String length = "in " + Durations.text(limit.window());
        return switch (shape.kind()) {
            case FIXED -> length;
            case BUCKET -> length + ", bucket of " + limit.capacity();
            case SLIDING -> length + ", sliding";
            case BLOCKING -> length + ", blocking " + Durations.text(shape.block());
            case CONCURRENT -> "at a time, lease " + Durations.text(limit.window());
            case CALENDAR -> calendar(requireNonNull(shape.calendar()));
        };
    }

    private static String calendar(CalendarWindow window) {
        String zone =
                window.zone().equals(ZoneOffset.UTC) ? "UTC" : window.zone().getId();
        LocalDate first = window.anchor();
        LocalDate usual = CalendarWindow.FIRST;
        String from = switch (window.unit()) {
            case DAY -> "";
            case WEEK ->
                first.getDayOfWeek() == usual.getDayOfWeek()
                        ? ""
                        : ", from " + first.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case MONTH -> first.getDayOfMonth() == 1 ? "" : ", from day " + first.getDayOfMonth();
            default -> first.equals(usual) ? "" : ", from " + first;
        };
        return "a %s (%s)%s".formatted(window.unit(), zone, from);
    }

    /** The shape's name for readers: {@code fixed-window}, {@code bucket}, {@code day}. */
    public static String name(Limit limit) {
        return limit.shape().kind() == Shape.Kind.FIXED
                ? "fixed-window"
                : limit.shape().name();
    }
}

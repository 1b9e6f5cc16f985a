package io.github.ratelimit.spring.live;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.spring.live.LimiterTraffic.Standing;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Writes what a second shows as JSON, by hand: there is one JSON library on one line of Spring Boot and another one on the other. */
final class LiveFrame {

    private final LiveRecorder recorder;
    private final Limiters<?> limiters;
    private final String storeKind;

    LiveFrame(LiveRecorder recorder, Limiters<?> limiters, String storeKind) {
        this.recorder = recorder;
        this.limiters = limiters;
        this.storeKind = storeKind;
    }

    /** One line. */
    String json() {
        long now = recorder.time().nanoTime();
        long second = recorder.second(now);
        return json(object(
                "at", recorder.time().instant().toEpochMilli(),
                "store", object("kind", storeKind, "state", recorder.store().state()),
                "changes",
                        list(
                                recorder.store().changes(),
                                change -> object("at", change.at().toEpochMilli(), "state", change.state())),
                "limiters", list(limiters.names(), name -> limiter(limiters.spec(name), now, second)),
                "rejected", list(recorder.rejected().heaviest(second), LiveFrame::rejected)));
    }

    private Object limiter(LimiterSpec<?> spec, long now, long second) {
        LimiterTraffic traffic = recorder.traffic(spec.name());
        return object(
                "name", spec.name(),
                "shadow", spec.shadow(),
                "onStoreFailure", spec.onStoreFailure(),
                "allowedRate", tenths(traffic.allowed().rate(second)),
                "rejectedRate", tenths(traffic.rejected().rate(second)),
                "allowed", points(traffic.allowed().points(second)),
                "rejected", points(traffic.rejected().points(second)),
                "rules", list(spec.rules(), rule -> rule(rule.limits().get(0), traffic, now)));
    }

    /** The first of its limits, until a request has told which of several applies. */
    private static Object rule(Limit limit, LimiterTraffic traffic, long now) {
        Standing standing = traffic.standing(limit.name(), now);
        return object(
                "name", limit.name(),
                "soft", limit.soft(),
                "permits", standing == null ? limit.capacity() : standing.permits(),
                "windowMillis", standing == null ? LimiterTraffic.windowMillis(limit) : standing.windowMillis(),
                "remaining", standing == null ? limit.capacity() : standing.remaining(),
                "resetMillis", standing == null ? 0L : (standing.end() - now + 999_999) / 1_000_000);
    }

    private static Object rejected(HeaviestKeys.Seen seen) {
        return object(
                "limiter", seen.rejected().limiter(),
                "rule", seen.rejected().rule(),
                "key", HexFormat.of().toHexDigits(seen.rejected().digest()),
                "count", seen.count(),
                "error", seen.error());
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static List<Long> points(long[] points) {
        return LongStream.of(points).boxed().toList();
    }

    private static <T> List<Object> list(Collection<T> values, Function<? super T, Object> each) {
        return values.stream().map(each).toList();
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(LiveFrame::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        // Names are letters, digits and three signs; other characters are left out rather than escaped.
        String text = value instanceof Enum<?> state ? state.name().toLowerCase(Locale.ROOT) : value.toString();
        return '"' + text.replaceAll("[^A-Za-z0-9._$-]", "") + '"';
    }
}

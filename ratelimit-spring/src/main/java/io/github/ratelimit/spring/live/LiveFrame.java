package io.github.ratelimit.spring.live;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.spring.live.LimiterTraffic.Standing;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        return "{\"at\":%d,\"secondsAPoint\":%d,\"store\":{\"kind\":%s,\"state\":%s},\"changes\":%s,\"limiters\":%s,\"refused\":%s}"
                .formatted(
                        recorder.time().instant().toEpochMilli(),
                        Series.SECONDS_A_POINT,
                        text(storeKind),
                        text(lowerCase(recorder.store().state())),
                        list(recorder.store().changes(), LiveFrame::change),
                        list(
                                limiters.names(),
                                name -> limiter(limiters.get(name).spec(), now, second)),
                        list(recorder.refused().heaviest(second), LiveFrame::refused));
    }

    private static String change(StoreWatch.Change change) {
        return "{\"at\":%d,\"state\":%s}".formatted(change.at().toEpochMilli(), text(lowerCase(change.state())));
    }

    private String limiter(LimiterSpec<?> spec, long now, long second) {
        LimiterTraffic traffic = recorder.traffic(spec.name());
        return "{\"name\":%s,\"shadow\":%b,\"onStoreFailure\":%s,\"allowedRate\":%s,\"refusedRate\":%s,\"allowed\":%s,\"refused\":%s,\"rules\":%s}"
                .formatted(
                        text(spec.name()),
                        spec.shadow(),
                        text(lowerCase(spec.onStoreFailure())),
                        decimal(traffic.allowed().rate(second)),
                        decimal(traffic.refused().rate(second)),
                        points(traffic.allowed().points(second)),
                        points(traffic.refused().points(second)),
                        list(
                                spec.rules().stream()
                                        .map(LiveFrame::shown)
                                        .flatMap(Stream::ofNullable)
                                        .toList(),
                                limit -> rule(limit, traffic, now)));
    }

    /** The limit to show before a request has told which of several applies. */
    private static @Nullable Limit shown(Rule<?> rule) {
        return rule.limit().known().stream().findFirst().orElse(null);
    }

    private static String rule(Limit limit, LimiterTraffic traffic, long now) {
        Standing standing = traffic.standing(limit.name(), now);
        return "{\"name\":%s,\"permits\":%d,\"windowMillis\":%d,\"remaining\":%d,\"resetMillis\":%d}"
                .formatted(
                        text(limit.name()),
                        standing == null ? limit.permits() : standing.permits(),
                        standing == null ? limit.window().toMillis() : standing.windowMillis(),
                        standing == null ? limit.permits() : standing.remaining(),
                        standing == null ? 0 : (standing.end() - now + 999_999) / 1_000_000);
    }

    private static String refused(HeaviestKeys.Seen seen) {
        return "{\"limiter\":%s,\"rule\":%s,\"key\":\"%s\",\"count\":%d,\"error\":%d}"
                .formatted(
                        text(seen.refused().limiter()),
                        text(seen.refused().rule()),
                        HexFormat.of().toHexDigits(seen.refused().digest()),
                        seen.count(),
                        seen.error());
    }

    private static String points(long[] points) {
        return LongStream.of(points).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
    }

    private static <T> String list(Collection<T> values, Function<? super T, String> json) {
        return values.stream().map(json).collect(Collectors.joining(",", "[", "]"));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Names are letters, digits and three signs; whatever else there may be is left out rather than escaped. */
    private static String text(String value) {
        return '"' + value.replaceAll("[^A-Za-z0-9._$-]", "") + '"';
    }
}

package io.github.ratelimit.spring.boot;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Rules in words. */
final class DescribedRules {

    private DescribedRules() {}

    /** The names of the parts that a rule counts by, as properties write them. */
    static List<String> key(Rule<HttpCall> rule) {
        KeyResolver<?> key = rule.key();
        if (key instanceof NamedKey named) {
            return named.parts();
        }
        if (key instanceof ClientAddress) {
            return List.of("client-address");
        }
        return List.of(key == KeyResolver.everybody() ? "everybody" : "a resolver of the application's own");
    }

    /** {@code burst: 10 in 1s by client-address + user-agent}. */
    static String line(Rule<HttpCall> rule) {
        List<Limit> known = rule.limits();
        String key = String.join(" + ", key(rule));
        String permits = known.stream()
                .map(limit -> Long.toString(limit.permits()))
                .distinct()
                .collect(Collectors.joining(" or "));
        return "%s: %s in %s by %s"
                .formatted(known.get(0).name(), permits, shown(known.get(0).window()), key);
    }

    private static String shown(Duration window) {
        return DurationFormatterUtils.print(window, DurationFormat.Style.COMPOSITE);
    }
}

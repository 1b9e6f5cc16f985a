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

    /** {@code burst: 10 in 1s by client-address + user-agent}, with plans {@code burst: free 10, pro 99 in 1s by …}. */
    static String line(Rule<HttpCall> rule) {
        Limit any = rule.limits().get(0);
        String permits = rule.plans().isEmpty()
                ? Long.toString(any.permits())
                : rule.plans().entrySet().stream()
                        .map(plan -> plan.getKey() + " " + plan.getValue().permits())
                        .collect(Collectors.joining(", "));
        return "%s: %s in %s by %s".formatted(any.name(), permits, shown(any.window()), String.join(" + ", key(rule)));
    }

    private static String shown(Duration window) {
        return DurationFormatterUtils.print(window, DurationFormat.Style.COMPOSITE);
    }
}

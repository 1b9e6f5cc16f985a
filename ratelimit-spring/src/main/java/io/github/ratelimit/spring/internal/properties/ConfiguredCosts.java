package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.http.HttpCall;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.unit.DataSize;

/** Reads from properties how many permits a request takes. */
public final class ConfiguredCosts {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final Pattern LENGTH = Pattern.compile("content-length(?:/(.+))?");
    private static final String HEADER = "header:";

    private ConfiguredCosts() {}

    /**
     * The costs by the limiter's name, without those of limiters that have none.
     *
     * @param names of all limiters
     * @param beans has those that costs name
     */
    public static Map<String, ToLongFunction<HttpCall>> of(
            RateLimitProperties properties, Collection<String> names, BeanFactory beans) {
        Map<String, ToLongFunction<HttpCall>> costs = new HashMap<>();
        properties.limiters().forEach((name, limiter) -> {
            String cost = limiter.cost();
            if (cost != null) {
                costs.put(
                        LimiterSource.known(name, names),
                        ConfiguredLimiters.valid(
                                "ratelimit.limiters.%s.cost".formatted(name), () -> cost(name, cost.strip(), beans)));
            }
        });
        return costs;
    }

    private static ToLongFunction<HttpCall> cost(String limiter, String text, BeanFactory beans) {
        String told = "limiter '%s': cost %s".formatted(limiter, text);
        Matcher length = LENGTH.matcher(text);
        if (NUMBER.matcher(text).matches()) {
            long constant = Long.parseLong(text);
            return call -> constant;
        } else if (text.startsWith(HEADER)) {
            return call -> field(call, text.substring(HEADER.length()), told);
        } else if (length.matches()) {
            long unit = length.group(1) == null
                    ? 1
                    : DataSize.parse(length.group(1)).toBytes();
            return call -> Math.max(1, (field(call, "Content-Length", told) + unit - 1) / Math.max(1, unit));
        }
        if (!beans.containsBean(text) || !beans.isTypeMatch(text, ToLongFunction.class)) {
            throw new IllegalArgumentException(
                    "no ToLongFunction<HttpCall> bean: '%s'; or write a number, header:<Name> or content-length/64KB"
                            .formatted(text));
        }
        SkipConditions.requireOfCalls(beans, text, ToLongFunction.class);
        return bean(beans.getBean(text, ToLongFunction.class));
    }

    @SuppressWarnings("unchecked") // the bean's type argument is checked where it is known
    private static ToLongFunction<HttpCall> bean(ToLongFunction<?> bean) {
        return (ToLongFunction<HttpCall>) bean;
    }

    private static long field(HttpCall call, String name, String told) {
        String value = String.join(", ", call.headers(name)).strip();
        if (!NUMBER.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    value.isEmpty()
                            ? "%s: the field %s is missing".formatted(told, name)
                            : "%s must be a whole number of 0 or more, was %s"
                                    .formatted(told, value.substring(0, Math.min(64, value.length()))));
        }
        return Long.parseLong(value);
    }
}

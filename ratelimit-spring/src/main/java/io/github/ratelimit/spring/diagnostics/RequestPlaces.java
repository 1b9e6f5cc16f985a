package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.ExcludedPaths;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.PathPattern;
import io.github.ratelimit.http.PathRule;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredPaths;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.method.MethodLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * The places that filters and annotations limit, on servlets and on WebFlux.
 *
 * @param rules those of the properties; none where the application has a filter of its own, whose rules nobody else knows
 * @param mapped all methods that requests are mapped to; asked each time, as some are mapped late
 */
public record RequestPlaces(
        HttpRateLimiter limiter,
        AnnotatedLimiters annotated,
        List<PathRule> rules,
        ExcludedPaths exclude,
        Supplier<List<MappedMethod>> mapped)
        implements LimitedPlaces {

    private static final String AFTER_AUTHENTICATION = StartReport.lowerCase(Phase.AFTER_AUTHENTICATION);

    /** The same at each start: a framework tells of methods in the order in which the virtual machine does, which is none. */
    private static final Comparator<MappedMethod> IN_ORDER_OF_PATHS =
            Comparator.comparing(method -> "%s %s %s".formatted(method.paths(), method.methods(), method.name()));

    /** @param ours whether the library's own filters hold the rules of the properties */
    public static RequestPlaces of(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            boolean ours,
            Supplier<List<MappedMethod>> mapped) {
        List<PathRule> rules =
                ours ? ConfiguredPaths.rules(properties, limiter.limiters().names()) : List.of();
        return new RequestPlaces(limiter, annotated, rules, excluded, mapped);
    }

    @Override
    public void leaveToAdapter(MethodLimits limits) {
        for (MappedMethod method : mapped.get()) {
            Class<?> type = ClassUtils.getUserClass(method.handler().getBeanType());
            limits.leaveToAdapter(
                    type, AopUtils.getMostSpecificMethod(method.handler().getMethod(), type));
        }
    }

    @Override
    public List<LimitedPlace> all() {
        List<LimitedPlace> places = new ArrayList<>();
        rules.forEach(rule -> places.add(place(rule)));
        mapped.get().stream().sorted(IN_ORDER_OF_PATHS).forEach(method -> places.addAll(places(method)));
        return places;
    }

    private LimitedPlace place(PathRule rule) {
        return new LimitedPlace(
                rule.methods().stream().sorted().toList(),
                List.of(rule.pattern().toString()),
                texts(rule.exclude()),
                null,
                rule.limiter(),
                StartReport.lowerCase(limiter.limiters().spec(rule.limiter()).phase()));
    }

    private List<LimitedPlace> places(MappedMethod method) {
        return annotated.namesFor(method.handler()).stream()
                .map(name -> new LimitedPlace(
                        method.methods(), method.paths(), List.of(), method.name(), name, AFTER_AUTHENTICATION))
                .toList();
    }

    @Override
    public List<String> excluded() {
        return texts(exclude);
    }

    private static List<String> texts(ExcludedPaths paths) {
        return paths.patterns().stream().map(PathPattern::toString).toList();
    }
}

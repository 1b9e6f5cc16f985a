package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathPattern;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.method.MethodLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.env.Environment;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * What filters and annotations limit, on servlets and on WebFlux.
 *
 * @param rules those of the properties; none where the application has a filter of its own, whose rules nobody else knows
 * @param mapped all methods that requests are mapped to; asked each time, as some are mapped late
 */
record KnownPlaces(
        HttpRateLimiter limiter,
        AnnotatedLimiters annotated,
        List<PathRule> rules,
        ExcludedPaths exclude,
        Supplier<List<MappedMethod>> mapped)
        implements LimitedPlaces {

    /** The same at each start: a framework tells of methods in the order in which the virtual machine does, which is none. */
    private static final Comparator<MappedMethod> IN_ORDER_OF_PATHS = Comparator.comparing(
                    (MappedMethod method) -> method.paths().toString())
            .thenComparing(method -> method.methods().toString())
            .thenComparing(MappedMethod::name);

    /** @param ours whether the library's own filters hold the rules of the properties */
    static KnownPlaces of(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            Environment environment,
            boolean ours,
            Supplier<List<MappedMethod>> mapped) {
        List<PathRule> rules = ours
                ? ConfiguredLimiters.pathRules(
                        properties.http(), limiter.limiters().names())
                : List.of();
        return new KnownPlaces(
                limiter, annotated, rules, ConfiguredLimiters.excludedPaths(properties.http(), environment), mapped);
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
                limiter.limiters().get(rule.limiter()).spec().phase());
    }

    private List<LimitedPlace> places(MappedMethod method) {
        return annotated.namesFor(method.handler()).stream()
                .map(name -> new LimitedPlace(
                        method.methods(), method.paths(), List.of(), method.name(), name, Phase.AFTER_AUTHENTICATION))
                .toList();
    }

    @Override
    public List<String> excluded() {
        return texts(exclude);
    }

    private static List<String> texts(ExcludedPaths paths) {
        return paths.patterns().stream().map(PathPattern::toString).toList();
    }

    @Override
    public boolean isExcluded(HttpCall call) {
        return exclude.contains(call);
    }

    @Override
    public List<Met> met(HttpCall call) {
        List<Met> met = new ArrayList<>();
        String path = call.path();
        for (PathRule rule : rules) {
            if (rule.pattern().matches(path)) {
                met.add(new Met(place(rule), rule.matches(call, path) ? null : reason(rule, call)));
            }
        }
        for (MappedMethod method : mappedTo(call)) {
            places(method).forEach(place -> met.add(new Met(place, null)));
        }
        return met;
    }

    private static String reason(PathRule rule, HttpCall call) {
        if (rule.exclude().contains(call)) {
            return "the rule leaves the path out";
        }
        return rule.methods().isEmpty()
                ? "a preflight request is not counted"
                : "the rule is for "
                        + String.join(", ", rule.methods().stream().sorted().toList());
    }

    /**
     * The method with the narrowest pattern; several where anything but path and method decides, such as a media type. None where a mapping
     * of another kind comes first, of which nothing is known.
     */
    private List<MappedMethod> mappedTo(HttpCall call) {
        PathContainer path = PathContainer.parsePath(call.origin().target()); // which it decodes itself
        List<MappedMethod> narrowest = new ArrayList<>();
        org.springframework.web.util.pattern.@Nullable PathPattern best = null;
        for (MappedMethod method : mapped.get()) {
            org.springframework.web.util.pattern.PathPattern match = takes(method, call) ? match(method, path) : null;
            int order = match == null || best == null ? -1 : match.compareTo(best);
            if (match != null && order <= 0) {
                if (order < 0) {
                    narrowest.clear();
                }
                narrowest.add(method);
                best = match;
            }
        }
        return narrowest;
    }

    private static boolean takes(MappedMethod method, HttpCall call) {
        String asked = call.method();
        return method.methods().isEmpty()
                || method.methods().contains(asked)
                || (asked.equals("HEAD") && method.methods().contains("GET"));
    }

    private static org.springframework.web.util.pattern.@Nullable PathPattern match(
            MappedMethod method, PathContainer path) {
        return method.paths().stream()
                .flatMap(KnownPlaces::parsed)
                .filter(pattern -> pattern.matches(path))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** None of a pattern that only an older matcher of Spring MVC can read. */
    private static Stream<org.springframework.web.util.pattern.PathPattern> parsed(String pattern) {
        try {
            return Stream.of(PathPatternParser.defaultInstance.parse(pattern));
        } catch (PatternParseException e) {
            return Stream.of();
        }
    }
}

package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.ClassUtils;

/**
 * The requests that filters and annotations limit, on servlets and on WebFlux. Asked after the start only, once all handlers are known.
 *
 * @param rules the rules of the properties; none where the application has its own filter
 * @param mapped all methods that requests are mapped to; asked each time, as some are mapped late
 */
public record LimitedRequests(
        HttpRateLimiter limiter,
        AnnotatedBeans annotated,
        List<PathRule> rules,
        ExcludedPaths exclude,
        Supplier<List<MappedMethod>> mapped,
        Routes routes) {

    /** The routes of a gateway; asked each time, as some come late. */
    @FunctionalInterface
    public interface Routes extends Supplier<List<Route>> {}

    /**
     * A route of a gateway.
     *
     * @param paths patterns
     * @param limiters that its own filters ask
     */
    public record Route(String id, List<String> paths, List<String> limiters) {

        /** @param predicates texts that may have paths, such as {@code Path=/a/**,/b/**}; any path if none has */
        public static Route of(String id, Stream<String> predicates, List<String> limiters) {
            List<String> paths = predicates
                    .flatMap(text -> Stream.of(text.replaceFirst("^Path=", "").split(",", -1)))
                    .map(String::strip)
                    .filter(text -> text.startsWith("/"))
                    .toList();
            return new Route(id, paths.isEmpty() ? List.of("/**") : paths, limiters);
        }
    }

    /**
     * Where a limiter limits.
     *
     * @param methods none: all
     * @param paths patterns, as they are written
     * @param except patterns of paths that are left out
     * @param handler the annotated method, or the routes of the path; null: any handler of the path
     * @param limiter its name
     * @param phase when it is decided, as properties write it
     */
    public record Place(
            List<String> methods,
            List<String> paths,
            List<String> except,
            @Nullable String handler,
            String limiter,
            String phase) {}

    private static final String AFTER_AUTHENTICATION = StartReport.lowerCase(Phase.AFTER_AUTHENTICATION);

    /** The same at each start: a framework tells of methods in the order in which the virtual machine does, which is none. */
    private static final Comparator<MappedMethod> IN_ORDER_OF_PATHS =
            Comparator.comparing(method -> "%s %s %s".formatted(method.paths(), method.methods(), method.name()));

    /** @param ours whether the library's own filters hold the rules of the properties */
    public static LimitedRequests of(
            HttpRateLimiter limiter,
            AnnotatedBeans annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            boolean ours,
            Supplier<List<MappedMethod>> mapped,
            Routes routes) {
        List<PathRule> rules =
                ours ? ConfiguredPaths.rules(properties, limiter.limiters().names()) : List.of();
        return new LimitedRequests(limiter, annotated, rules, excluded, mapped, routes);
    }

    /** Leaves the methods that requests are mapped to to the adapter that limits these, also where the class they stand in is no controller. */
    public void leaveToAdapter(MethodLimits limits) {
        for (MappedMethod method : mapped.get()) {
            Class<?> type = ClassUtils.getUserClass(method.handler().getBeanType());
            limits.leaveToAdapter(
                    type, AopUtils.getMostSpecificMethod(method.handler().getMethod(), type));
        }
    }

    /** First the rules of paths, then a gateway's routes and annotated methods. */
    public List<Place> all() {
        List<Place> places = new ArrayList<>();
        List<Route> known = routes.get();
        rules.forEach(rule -> places.add(place(rule, known)));
        for (Route route : known) {
            route.limiters()
                    .forEach(name -> places.add(new Place(
                            List.of(), route.paths(), List.of(), "route " + route.id(), name, AFTER_AUTHENTICATION)));
        }
        mapped.get().stream().sorted(IN_ORDER_OF_PATHS).forEach(method -> places.addAll(places(method)));
        return places;
    }

    private Place place(PathRule rule, List<Route> known) {
        String pattern = rule.pattern().toString();
        String served = known.stream()
                .filter(route -> route.paths().stream().anyMatch(path -> mayMeet(pattern, path)))
                .map(Route::id)
                .collect(Collectors.joining(", "));
        return new Place(
                rule.methods().stream().sorted().toList(),
                List.of(pattern),
                texts(rule.exclude()),
                served.isEmpty() ? null : "route " + served,
                rule.limiter(),
                StartReport.lowerCase(limiter.limiters().spec(rule.limiter()).phase()));
    }

    /** Whether the one matches the other as it is written: a rule as the library reads it, a mapping as Spring does. */
    static boolean mayMeet(String rule, String mapping) {
        String path = rule.toLowerCase(Locale.ROOT);
        String served = mapping.toLowerCase(Locale.ROOT).replaceAll("\\{\\*[^}]*}", "**");
        return PathPattern.parse(path).matches(served) || new AntPathMatcher().match(served, path);
    }

    private List<Place> places(MappedMethod method) {
        return method.limiters(annotated).stream()
                .map(name -> new Place(
                        method.methods(), method.paths(), List.of(), method.name(), name, AFTER_AUTHENTICATION))
                .toList();
    }

    /** Patterns of the paths that are never limited. */
    public List<String> excluded() {
        return texts(exclude);
    }

    private static List<String> texts(ExcludedPaths paths) {
        return paths.patterns().stream().map(PathPattern::toString).toList();
    }
}

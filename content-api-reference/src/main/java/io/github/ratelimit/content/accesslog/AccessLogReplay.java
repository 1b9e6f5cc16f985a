package io.github.ratelimit.content.accesslog;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Phase;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathPattern;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.boot.RateLimitAutoConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/**
 * Asks limiters about the requests of an access log, at the log's own times. The limiters are those that an application with these properties
 * has, and so are the answers: nothing is estimated. The same log and properties give the same report.
 *
 * <p>A limiter that no path names is asked about every request. Used by one thread; closing it ends it.
 */
final class AccessLogReplay implements AutoCloseable {

    private static final List<String> PROBES =
            List.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness");

    /** Excludes everything, but what can be read in two ways is never excluded: so it tells those paths, which a server refuses. */
    private static final ExcludedPaths UNAMBIGUOUS = ExcludedPaths.of(List.of("/**"));

    /** What stands in {@code ratelimit.http.paths}. */
    record PathEntry(
            String pattern,
            @DefaultValue List<String> methods,
            String limiter,
            @DefaultValue List<String> exclude) {

        PathRule rule() {
            Set<String> upper = methods.stream()
                    .map(method -> method.toUpperCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            return new PathRule(PathPattern.parse(pattern), upper, limiter, ExcludedPaths.of(exclude));
        }
    }

    private final LogTime time = new LogTime();
    private final LoggedCall.Moments moments = new LoggedCall.Moments();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final HttpRateLimiter limiter;
    private final List<PathRule> rules;
    private final ExcludedPaths excluded;
    private final boolean refusesAmbiguousPaths;
    private final ReplayReport report;
    private final Refusals refusals = new Refusals();

    /**
     * Reads the limits.
     *
     * @param limits a file of the form of {@code application.yml}; what stands below {@code ratelimit} is read
     * @throws IOException if the file cannot be read
     * @throws RuntimeException if a limiter is described wrongly; the message names the property
     */
    AccessLogReplay(Path limits) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.forEach(source -> sources.remove(source.getName())); // not this machine's: the same everywhere
        sources.addLast(
                new MapPropertySource("replay", Map.of("ratelimit.store", "in-process", "ratelimit.enabled", "true")));
        for (PropertySource<?> file : new YamlPropertySourceLoader().load("limits", new FileSystemResource(limits))) {
            sources.addLast(file);
        }
        context.setEnvironment(environment);
        context.registerBean(TimeSource.class, () -> time);
        context.registerBean(DecisionListener.class, () -> refusals);
        context.register(RateLimitAutoConfiguration.class);
        context.refresh();
        limiter = context.getBean(HttpRateLimiter.class); // what is wrong in a property has been told by now
        Binder binder = Binder.get(environment);
        excluded = ExcludedPaths.of(binder.bind("ratelimit.http.exclude", Bindable.listOf(String.class))
                .orElse(PROBES));
        refusesAmbiguousPaths = binder.bind("ratelimit.http.refuse-ambiguous-paths", Boolean.class)
                .orElse(true);
        rules = new ArrayList<>(
                binder.bind("ratelimit.http.paths", Bindable.listOf(PathEntry.class)).orElse(List.of()).stream()
                        .map(PathEntry::rule)
                        .toList());
        report = new ReplayReport(limiter.limiters());
        for (String name : limiter.limiters().names()) {
            if (rules.stream().noneMatch(rule -> rule.limiter().equals(name))) {
                rules.add(PathRule.of("/**", name));
            }
        }
    }

    /** Hears of each limiter by itself, those in shadow too. */
    private final class Refusals implements DecisionListener {

        private @Nullable LoggedCall call;

        @Override
        public void onDecision(String name, Decision decision, boolean shadow, long nanos) {
            LoggedCall of = call;
            if (of != null) {
                for (LimitStatus status : decision.statuses(name)) {
                    report.decided(of, time.second(), status);
                }
            }
        }
    }

    /**
     * Asks about a line.
     *
     * @param following the line behind it, which tells whether to believe its moment; null at the end
     * @return whether the request would have been served; true also for what is no request, or one of another time
     */
    boolean next(String line, @Nullable String following) {
        LoggedCall call = LoggedCall.parse(line, moments);
        if (call == null) {
            report.unreadable(line);
            return true;
        }
        if (!time.isNear(call.second()) && !(time.isBehind(call.second()) && isConfirmed(call, following))) {
            report.misdated(line);
            return true;
        }
        time.advanceTo(call.second());
        boolean served = decide(call);
        report.asked(time.second(), served);
        return served;
    }

    /** A log may be silent for days, and it begins at any time. One line in the future must not hold up the time of all that come after it. */
    private boolean isConfirmed(LoggedCall call, @Nullable String following) {
        LoggedCall next = following == null ? null : LoggedCall.parse(following, moments);
        return next == null ? !report.hasRequests() : LogTime.areNear(call.second(), next.second());
    }

    private boolean decide(LoggedCall call) {
        if (refusesAmbiguousPaths && !rules.isEmpty() && !UNAMBIGUOUS.contains(call)) {
            report.ambiguous();
            return false;
        }
        if (excluded.contains(call)) {
            return true;
        }
        for (Phase phase : Phase.values()) {
            List<String> names = met(call, phase);
            if (!names.isEmpty() && !check(names, call)) {
                return false;
            }
        }
        return true;
    }

    private boolean check(List<String> names, LoggedCall call) {
        refusals.call = call;
        return limiter.check(names, call).allowed();
    }

    private List<String> met(LoggedCall call, Phase phase) {
        List<String> names = new ArrayList<>(2);
        for (PathRule rule : rules) {
            String name = rule.limiter();
            if (rule.matches(call, call.path())
                    && !names.contains(name)
                    && limiter.limiters().get(name).spec().phase() == phase) {
                names.add(name);
            }
        }
        return names;
    }

    /** What came of the lines so far. */
    ReplayReport report() {
        return report;
    }

    @Override
    public void close() {
        context.close();
    }
}

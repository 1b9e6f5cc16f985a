package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.AnnotatedMethods;
import io.github.ratelimit.spring.Diagnostic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.web.method.HandlerMethod;

/**
 * What is looked at and told once all handlers are known, on servlets and on WebFlux.
 *
 * @param places what is limited
 */
record StartCheck(
        KnownPlaces places,
        AnnotatedMethods methods,
        LimitedCalls calls,
        RateLimitProperties properties,
        ConfigurableListableBeanFactory beans,
        Environment environment,
        Diagnostics diagnostics) {

    /**
     * Tells of it.
     *
     * @param filter the type of a filter that may stand in for the library's
     * @param authentication where the application's authentication stands among filters; smaller than any if there is none
     */
    void run(ServedPaths served, Class<?> filter, int authentication) {
        Limiters<HttpCall> limiters = places.limiter().limiters();
        AnnotatedLimiters annotated = places.annotated();
        List<HandlerMethod> handlers =
                places.mapped().get().stream().map(MappedMethod::handler).toList();
        handlers.forEach(handler -> annotated.requireKnown(handler, limiters.names()));
        MisplacedAnnotations.warnOfHelpers(beans, handlers, diagnostics);
        StartReport.log(limiters, places, served::isServed);
        served.warnOf(places.all(), diagnostics);
        if (places.rules().isEmpty() && !properties.http().paths().isEmpty()) {
            diagnostics.warn(
                    Diagnostic.PATHS_REPLACED,
                    "ratelimit.http.paths has no effect: the application has a %s bean of its own; give the rules to that filter, or remove it"
                            .formatted(filter.getSimpleName()));
        }
        warnOfOrder(authentication);
        Set<String> named = new HashSet<>(annotated.names());
        named.addAll(methods.names());
        places.all().forEach(place -> named.add(place.limiter()));
        calls.all().forEach(place -> named.add(place.limiter()));
        boolean mayBeCalled = LimiterCallers.mayExist(beans, environment);
        StartReport.tellOfUnnamed(limiters, named, mayBeCalled, diagnostics);
        if (!mayBeCalled) {
            new SameKeys(limiters, places).warn(diagnostics);
        }
    }

    private void warnOfOrder(int authentication) {
        int order = properties.http().afterAuthenticationFilterOrder();
        boolean limits = places.rules().stream()
                .map(rule -> places.limiter().limiters().get(rule.limiter()).spec())
                .anyMatch(spec -> spec.phase() == Phase.AFTER_AUTHENTICATION);
        if (limits && order <= authentication) {
            diagnostics.warn(
                    Diagnostic.PRINCIPAL_TOO_EARLY,
                    "ratelimit.http.after-authentication-filter-order is %d and Spring Security's filter stands at %d: nobody is signed in yet where these limiters decide, and all callers share one count; set it to more than %d"
                            .formatted(order, authentication, authentication));
        }
    }
}

package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.web.method.HandlerMethod;

/**
 * The checks and reports of the startup, once all handlers are known, on servlets and on WebFlux.
 *
 * @param places what is limited
 */
public record StartCheck(RequestPlaces places, RateLimitProperties properties, Diagnostics diagnostics) {

    /**
     * Tells of it.
     *
     * @param environment has the root's property
     * @param rootProperty the property of the path of the whole application
     * @param filter the type of a filter that may stand in for the library's
     * @param authentication where the application's authentication stands among filters; smaller than any if there is none
     */
    public void run(Environment environment, String rootProperty, Class<?> filter, int authentication) {
        Limiters<HttpCall> limiters = places.limiter().limiters();
        List<MappedMethod> mapped = places.mapped().get();
        List<HandlerMethod> handlers =
                mapped.stream().map(MappedMethod::handler).toList();
        ServedPaths served = new ServedPaths(
                mapped.stream().flatMap(method -> method.paths().stream()).toList(),
                rootProperty,
                environment.getProperty(rootProperty, ""));
        handlers.forEach(handler -> places.annotated().requireKnown(handler, limiters.names()));
        MisplacedAnnotations.warn(handlers, places.annotated(), diagnostics);
        StartReport.log(limiters, places, served::isServed);
        served.warnOf(places.all(), diagnostics);
        if (places.rules().isEmpty()
                && properties.limiters().values().stream()
                        .anyMatch(limiter -> !limiter.paths().isEmpty())) {
            diagnostics.warn(
                    Diagnostic.PATHS_REPLACED,
                    "ratelimit.limiters.*.paths has no effect: the application has a %s bean of its own; give the rules to that filter, or remove it"
                            .formatted(filter.getSimpleName()));
        }
        warnOfOrder(authentication);
    }

    private void warnOfOrder(int authentication) {
        int order = properties.http().filter().afterOrder();
        boolean limits = places.rules().stream()
                .map(rule -> places.limiter().limiters().spec(rule.limiter()))
                .anyMatch(spec -> spec.phase() == Phase.AFTER_AUTHENTICATION);
        if (limits && order <= authentication) {
            diagnostics.warn(
                    Diagnostic.PRINCIPAL_TOO_EARLY,
                    "ratelimit.http.filter.after-order is %d and Spring Security's filter stands at %d: these limiters decide before authentication, so all callers share one budget; set it to more than %d"
                            .formatted(order, authentication, authentication));
        }
    }
}

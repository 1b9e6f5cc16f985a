package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import java.util.Collections;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.web.method.HandlerMethod;

/**
 * The checks of the startup, once all handlers are known, on servlets and on WebFlux.
 *
 * @param places what is limited
 */
public record StartCheck(LimitedRequests places, RateLimitProperties properties, Diagnostics diagnostics) {

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
        handlers.forEach(handler -> places.annotated().requireKnown(handler, limiters.names()));
        MisplacedAnnotations.warn(handlers, places.annotated(), diagnostics);
        mapped.stream()
                .filter(method -> places.annotated().isExemptFromNothing(method.handler()))
                .forEach(this::warnOfExemption);
        warnOfRoot(rootProperty, environment.getProperty(rootProperty, ""));
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

    /** An exemption holds for annotations alone: where there are none, somebody meant the rules of paths. */
    private void warnOfExemption(MappedMethod method) {
        for (PathRule rule : places.rules()) {
            method.paths().stream()
                    .filter(path -> LimitedRequests.mayMeet(rule.pattern().toString(), path)
                            && rule.exclude().patterns().stream().noneMatch(pattern -> pattern.matches(path))
                            && (rule.methods().isEmpty()
                                    || method.methods().isEmpty()
                                    || !Collections.disjoint(rule.methods(), method.methods())))
                    .forEach(path -> diagnostics.warn(
                            Diagnostic.UNREAD_ANNOTATION,
                            "@NoRateLimit on %s does not exempt it from limiter '%s', which limits its path: add %s to ratelimit.limiters.%s.exclude"
                                    .formatted(method.name(), rule.limiter(), path, rule.limiter())));
        }
    }

    /** Patterns are compared below the path of the whole application: one that begins with that path matches nothing. */
    private void warnOfRoot(String property, String root) {
        for (PathRule rule : root.length() > 1 ? places.rules() : List.<PathRule>of()) {
            String pattern = rule.pattern().toString();
            if ((pattern + "/").startsWith(root + "/")) {
                String below = pattern.substring(root.length());
                diagnostics.warn(
                        Diagnostic.PATH_MATCHES_NOTHING,
                        "ratelimit.limiters.%s.paths: '%s' matches nothing: it begins with %s, and patterns are compared below that; write '%s'"
                                .formatted(rule.limiter(), pattern, property, below.isEmpty() ? "/" : below));
            }
        }
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

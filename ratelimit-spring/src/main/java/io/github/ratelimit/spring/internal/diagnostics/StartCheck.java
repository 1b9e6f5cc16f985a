package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Annotations;
import io.github.ratelimit.spring.internal.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.internal.properties.LimiterProperties;
import io.github.ratelimit.spring.internal.properties.MethodKeys;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * The checks of the startup, once all handlers are known, on servlets and on WebFlux.
 *
 * @param places what is limited
 */
public record StartCheck(LimitedRequests places, RateLimitProperties properties, Diagnostics diagnostics) {

    /** Beans of a test context in which a test replaces beans by finished objects, such as mocks: {@code @MockitoBean}, {@code @MockBean}. */
    private static final List<String> REPLACEMENTS = List.of(
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry",
            "org.springframework.boot.test.mock.mockito.MockitoBeans");

    /**
     * Checks, once all beans are there, that calls of every annotated method are limited, and tells the limits of them, in the order of beans
     * and names of methods.
     */
    public static void requireLimited(
            ConfigurableListableBeanFactory beans,
            MethodLimits limits,
            MethodKeys keys,
            MethodLimitPostProcessor processor,
            Diagnostics diagnostics) {
        List<MethodLimits.Place> found = new ArrayList<>();
        boolean isReplaced = REPLACEMENTS.stream().anyMatch(beans::containsSingleton);
        AnnotatedBeans.forEach(beans, (name, type) -> {
            List<Method> methods = Annotations.methods(type).stream()
                    .sorted(Comparator.comparing(Method::getName))
                    .toList();
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (methods.isEmpty() || (type.isInterface() && bean instanceof FactoryBean<?>)) {
                return; // what a factory makes of an interface is seen when it is made
            }
            if (MethodLimitPostProcessor.isOfInterfaceAlone(bean)) {
                diagnostics.warn(
                        Diagnostic.UNREAD_ANNOTATION,
                        "@RateLimit on %s.%s has no effect on calls of the bean '%s', which is made of the interface alone: annotate a method of the bean that calls it, or limit the calls by an OutgoingLimit"
                                .formatted(
                                        methods.get(0).getDeclaringClass().getSimpleName(),
                                        methods.get(0).getName(),
                                        name));
                return;
            }
            for (Method method : methods) {
                limits.costs(type, method)
                        .forEach((limiter, cost) -> keys.requireCost(limiter, cost, method, limits.parameters(method)));
                for (String limiter : limits.require(type, method)) {
                    keys.requireCountable(limiter, method, limits.parameters(method));
                    found.add(new MethodLimits.Place(type.getSimpleName() + "." + method.getName(), limiter));
                }
            }
            if (bean != null && !isReplaced && !(bean instanceof FactoryBean<?>) && !processor.isInForce(bean)) {
                throw new InvalidRateLimitException(
                        "@RateLimit on %s has no effect: the bean '%s' was created too early"
                                .formatted(type.getSimpleName(), name),
                        "a BeanPostProcessor or a BeanFactoryPostProcessor depends on it: inject it there by ObjectProvider; or do not register a finished object");
            }
        });
        limits.limit(found);
        BeanFactory above = beans.getParentBeanFactory();
        while (above instanceof ConfigurableListableBeanFactory parent) {
            if (parent.getBeanNamesForType(MethodLimitPostProcessor.class, true, false).length == 0) {
                warnOfBeans(parent, diagnostics);
            }
            above = parent.getParentBeanFactory();
        }
    }

    /** Of a parent context, made before this one could put a proxy around them. Its controllers may be mapped here. */
    private static void warnOfBeans(ConfigurableListableBeanFactory parent, Diagnostics diagnostics) {
        AnnotatedBeans.forEach(parent, (name, type) -> {
            if (!Annotations.isController(type)) {
                Annotations.methods(type)
                        .forEach(method -> diagnostics.warn(
                                Diagnostic.UNREAD_ANNOTATION,
                                "@RateLimit on %s.%s has no effect: the bean '%s' is of a parent context, which does not have the library's auto-configuration: let it have that, or move the bean to this context"
                                        .formatted(type.getSimpleName(), method.getName(), name)));
            }
        });
    }

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
        AnnotatedBeans annotated = places.annotated();
        mapped.forEach(method ->
                annotated.requireKnown(method.controller(), method.handler().getMethod(), limiters.names()));
        warnOfHelpers(mapped);
        mapped.stream()
                .filter(method -> annotated.isExemptFromNothing(
                        method.controller(), method.handler().getMethod()))
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
        if (properties.store() != RateLimitProperties.StoreKind.IN_PROCESS
                && ConfiguredLimiters.localBillionths(properties) == ConfiguredLimiters.BILLION) {
            limiters.names().stream()
                    .map(limiters::spec)
                    .filter(this::opensUnasked)
                    .forEach(this::warnOfOutages);
        }
    }

    /** Whether it guards something, as against guesses, and nobody said what holds in an outage. */
    private boolean opensUnasked(LimiterSpec<HttpCall> spec) {
        LimiterProperties said = properties.limiters().get(spec.name());
        return spec.onStoreFailure() == OnStoreFailure.LOCAL
                && (said == null || said.onStoreFailure() == null)
                && (!Outcomes.countsAll(spec)
                        || spec.rules().stream()
                                .flatMap(rule -> rule.limits().stream())
                                .anyMatch(limit -> limit.shape().kind() == Shape.Kind.BLOCKING));
    }

    private void warnOfOutages(LimiterSpec<HttpCall> spec) {
        diagnostics.warn(
                Diagnostic.GUARD_OPENS,
                "limiter '%s' counts guesses, and while the store is away each node grants its whole limit: set ratelimit.limiters.%1$s.on-store-failure to reject, or to local if that is meant"
                        .formatted(spec.name()));
    }

    /** Methods of controllers that no request is mapped to, such as helpers and those of GraphQL: nothing limits calls of them. */
    private void warnOfHelpers(List<MappedMethod> mapped) {
        Set<Class<?>> served = new LinkedHashSet<>();
        Set<Method> methods = new HashSet<>();
        for (MappedMethod each : mapped) {
            Class<?> type = ClassUtils.getUserClass(each.handler().getBeanType());
            served.add(type);
            methods.add(ClassUtils.getMostSpecificMethod(each.handler().getMethod(), type));
        }
        Set<Class<?>> types = new LinkedHashSet<>(served);
        types.addAll(places.annotated().controllers());
        MethodFilter helpers = method ->
                !methods.contains(method) && MergedAnnotations.from(method).isPresent(RateLimit.class);
        for (Class<?> type : types) {
            if (!served.contains(type) && MergedAnnotations.from(type).isPresent(RateLimit.class)) {
                warnOfHelper(type.getSimpleName());
            }
            MethodIntrospector.selectMethods(type, helpers)
                    .forEach(method ->
                            warnOfHelper(method.getDeclaringClass().getSimpleName() + "." + method.getName()));
        }
    }

    private void warnOfHelper(String where) {
        diagnostics.warn(
                Diagnostic.ANNOTATED_HELPER,
                "@RateLimit on %s has no effect: no HTTP request is mapped there, and other calls of a controller's methods are never limited"
                        .formatted(where));
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

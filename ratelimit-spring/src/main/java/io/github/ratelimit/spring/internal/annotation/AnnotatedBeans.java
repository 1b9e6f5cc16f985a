package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The limiters that annotations on controllers and on other beans name or describe.
 *
 * <p>Needs nothing of Spring Web. Safe for concurrent use.
 */
public final class AnnotatedBeans {

    /**
     * How calls of a method are limited.
     *
     * @param limiters their distinct names, those of its class first; empty: calls are not limited
     * @param maxWait the longest wait for permits; null: nobody waits
     */
    public record Limited(List<String> limiters, @Nullable Duration maxWait) {

        /** Copies the names. */
        public Limited {
            limiters = List.copyOf(limiters);
        }
    }

    private record Handler(Class<?> controller, Method method) {}

    private final Set<Class<?>> controllers;
    private final List<AnnotatedPlace> places = new ArrayList<>();
    private final UnaryOperator<String> placeholders;
    private final Map<String, String> describedNames;
    private final Map<Handler, Map<String, String>> costs = new ConcurrentHashMap<>(); // as many as well
    private final Map<Handler, List<String>> byHandler = new ConcurrentHashMap<>(); // as many as there are methods

    private AnnotatedBeans(Set<Class<?>> controllers, Collection<Class<?>> others, UnaryOperator<String> placeholders) {
        this.controllers = controllers;
        this.placeholders = placeholders;
        controllers.forEach(this::read);
        places.forEach(AnnotatedBeans::requireNoWait);
        others.forEach(this::read);
        others.forEach(Annotations::requireProxyable);
        this.describedNames = describedNames(places);
    }

    /**
     * Reads the annotations of all beans. Makes no bean.
     *
     * @param beans where they are defined
     * @param placeholders puts values in place of <code>${…}</code>; throws {@link IllegalArgumentException} where there is none
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or stands where no call can be limited
     */
    public static AnnotatedBeans of(ConfigurableListableBeanFactory beans, UnaryOperator<String> placeholders) {
        Set<Class<?>> controllers = new LinkedHashSet<>();
        Set<Class<?>> others = new LinkedHashSet<>();
        forEach(beans, (name, type) -> {
            if (Annotations.isController(type)) {
                controllers.add(type);
            } else if (!Proxy.isProxyClass(type) && !Annotations.methods(type).isEmpty()) {
                others.add(type);
            }
        });
        return new AnnotatedBeans(controllers, others, placeholders);
    }

    /**
     * Reads the annotations of these controllers.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or two descriptions come to one name by themselves
     */
    public static AnnotatedBeans of(Collection<? extends Class<?>> controllers) {
        return new AnnotatedBeans(new LinkedHashSet<>(controllers), List.of(), UnaryOperator.identity());
    }

    /** Tells of each bean that may have annotations its name, and its class as it is written. Makes no bean. */
    public static void forEach(ConfigurableListableBeanFactory beans, BiConsumer<String, Class<?>> to) {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : type(beans, name);
            if (type != null) {
                to.accept(name, type);
            }
        }
    }

    private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            Class<?> written = type == null ? null : ClassUtils.getUserClass(type);
            return written != null && Annotations.isAnnotated(written) ? written : null;
        } catch (RuntimeException | LinkageError e) {
            return null; // a bean of a class that cannot be loaded is nothing that is called
        }
    }

    private void read(Class<?> type) {
        places.addAll(Annotations.onClass(type));
        MetadataLookup<List<AnnotatedPlace>> annotated = method -> {
            List<AnnotatedPlace> onMethod = Annotations.onMethod(type, method);
            return onMethod.isEmpty() ? null : onMethod;
        };
        MethodIntrospector.selectMethods(type, annotated).values().forEach(places::addAll);
    }

    private static void requireNoWait(AnnotatedPlace place) {
        if (place.waits()) {
            throw place.invalid(
                    "no request waits before a controller, and so maxWait has no meaning there",
                    "remove maxWait, or put the annotation on a bean that the controller calls");
        }
    }

    /** The names of described limiters by the places' ids: made of the place alone, so that another method renames none. */
    private static Map<String, String> describedNames(List<AnnotatedPlace> places) {
        Map<String, AnnotatedPlace> first = new HashMap<>();
        Map<String, String> names = new HashMap<>();
        for (AnnotatedPlace place : places) {
            if (place.isInline()) {
                String name = place.describedName();
                AnnotatedPlace other = first.putIfAbsent(name, place);
                if (other != null && !(place.isNamed() && other.isNamed())) {
                    throw place.invalid(
                            "its limiter is called '%s', and so is that of %s".formatted(name, other.id()),
                            "give at least one of them a name of its own, by the member name");
                }
                names.put(place.id(), name);
            }
        }
        return names;
    }

    /** The controllers that have annotations, or methods with annotations. */
    public Set<Class<?>> controllers() {
        Set<Class<?>> annotated = new LinkedHashSet<>();
        places.forEach(place -> annotated.add(place.controller()));
        annotated.retainAll(controllers);
        return annotated;
    }

    /** The names of all limiters that annotations name or describe. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        places.forEach(place -> names.add(name(place)));
        return names;
    }

    /** The names of the limiters of requests. */
    public Set<String> namesOfRequests() {
        Set<String> names = new LinkedHashSet<>();
        places.stream()
                .filter(place -> controllers.contains(place.controller()))
                .forEach(place -> names.add(name(place)));
        return names;
    }

    /** The limiter that a place names or describes. */
    private String name(AnnotatedPlace place) {
        String name = place.isInline()
                ? describedNames.get(place.id())
                : place.annotation().value();
        if (name == null) {
            throw place.invalid(
                    "describes a limiter, but %s is no controller bean of the application's own context, and no other bean was known to be of it"
                            .formatted(place.controller().getName()),
                    "annotate it with @Controller or @RestController, let the @Bean method return that class, or name a limiter that is described elsewhere");
        }
        return name;
    }

    /**
     * The names of a controller's method's limiters: first those of its class, then its own; each once.
     *
     * @param controller the class as it is written
     * @throws InvalidRateLimitException if an annotation describes a limiter on a class that was no bean when annotations were read
     */
    public List<String> namesFor(Class<?> controller, Method method) {
        return byHandler.computeIfAbsent(
                new Handler(controller, method),
                key -> Annotations.of(controller, method).stream()
                        .map(this::name)
                        .distinct()
                        .toList());
    }

    /** The expressions of what calls of a method cost, by the limiter's name; of most methods none. That of a method replaces that of its class. */
    public Map<String, String> costs(Class<?> type, Method method) {
        return costs.computeIfAbsent(new Handler(type, method), key -> {
            Map<String, String> found = new HashMap<>();
            for (AnnotatedPlace place : Annotations.of(type, method)) {
                if (!place.annotation().cost().isEmpty()) {
                    found.put(name(place), place.annotation().cost());
                }
            }
            return Map.copyOf(found);
        });
    }

    /** Whether a method is exempt from annotations, and there are none that it could be exempt from. */
    public boolean isExemptFromNothing(Class<?> controller, Method method) {
        return Annotations.isExempt(method)
                && Annotations.onClass(controller).isEmpty()
                && !MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(RateLimit.class);
    }

    /**
     * How calls of a method are limited.
     *
     * @param type the class of the bean as it is written
     * @throws InvalidRateLimitException if an annotation describes a limiter on a class that no bean was known to have, or lets calls wait for
     * several limiters
     */
    public Limited limitedBy(Class<?> type, Method method) {
        List<AnnotatedPlace> found = Annotations.of(type, method);
        Duration maxWait = found.stream()
                .filter(AnnotatedPlace::waits)
                .findFirst()
                .map(place -> place.maxWait(placeholders))
                .orElse(null);
        if (maxWait != null && found.size() > 1) {
            throw found.get(0)
                    .invalid(
                            "%d limiters, and maxWait: a call waits for one limiter only".formatted(found.size()),
                            "remove maxWait, or describe all limits as rules of one limiter");
        }
        return new Limited(found.stream().map(this::name).distinct().toList(), maxWait);
    }

    /**
     * The limiters that annotations describe in place. They decide after authentication, as annotations do.
     *
     * @param keys makes a resolver of the names of its parts; throws {@link IllegalArgumentException} for an unknown one
     * @param onStoreFailure their policy in an outage of the store
     * @throws InvalidRateLimitException if a description is out of range, or two that share a name differ
     */
    public List<LimiterSpec<HttpCall>> specs(
            Function<List<String>, KeyResolver<HttpCall>> keys, OnStoreFailure onStoreFailure) {
        Map<String, AnnotatedPlace> firstByName = new LinkedHashMap<>();
        for (AnnotatedPlace place : places) {
            AnnotatedPlace first = place.isInline() ? firstByName.putIfAbsent(name(place), place) : null;
            if (first != null && !place.annotation().equals(first.annotation())) {
                throw place.invalid(
                        "describes limiter '%s' otherwise than %s"
                                .formatted(place.annotation().name(), first),
                        "give each its own name, or describe the limiter once under ratelimit.limiters and name it");
            }
        }
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        firstByName.forEach((name, place) -> specs.add(spec(place, name, keys, onStoreFailure)));
        return specs;
    }

    private LimiterSpec<HttpCall> spec(
            AnnotatedPlace place,
            String name,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            OnStoreFailure onStoreFailure) {
        try {
            Rule<HttpCall> rule = Rule.of(
                    place.limit(name, placeholders),
                    keys.apply(Arrays.asList(place.annotation().key())));
            return new LimiterSpec<>(name, List.of(rule))
                    .withOnStoreFailure(onStoreFailure)
                    .withCount(Outcomes.of(place.annotation().count()))
                    .withPhase(Phase.AFTER_AUTHENTICATION);
        } catch (IllegalArgumentException e) {
            throw place.invalid(
                    String.valueOf(e.getMessage()),
                    "correct the key or count, or declare the bean; a test slice needs @Import of its configuration");
        }
    }

    /**
     * Checks that every limiter of every annotation is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(Collection<String> known) {
        requireKnown(places, known);
    }

    /** The same of one method of a controller. */
    public void requireKnown(Class<?> controller, Method method, Collection<String> known) {
        requireKnown(Annotations.of(controller, method), known);
    }

    private void requireKnown(List<AnnotatedPlace> wanted, Collection<String> known) {
        for (AnnotatedPlace place : wanted) {
            String name = name(place);
            if (!known.contains(name)) {
                throw place.invalid(
                        Diagnostic.UNKNOWN_LIMITER,
                        known.isEmpty()
                                ? "no such limiter: nothing at all stands below ratelimit.limiters"
                                : "no such limiter; known: " + String.join(", ", new TreeSet<>(known)),
                        "correct the name, or describe the limiter under ratelimit.limiters.%s%s"
                                .formatted(
                                        name,
                                        known.isEmpty()
                                                ? "; in a test, see whether a file of properties in src/test/resources hides the application's"
                                                : ""));
            }
        }
    }
}

package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.NoRateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Method;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The annotations of some classes, and the limiters that they name and describe: what annotated controllers and other annotated beans have in
 * common. Immutable.
 */
public abstract class AnnotationReader {

    private final List<AnnotatedPlace> places;
    private final UnaryOperator<String> placeholders;
    private final Map<String, String> describedNames;

    /**
     * Reads the annotations of these classes and of their methods.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or two descriptions come to one name by themselves
     */
    AnnotationReader(Collection<? extends Class<?>> types, UnaryOperator<String> placeholders) {
        List<AnnotatedPlace> found = new ArrayList<>();
        for (Class<?> type : types) {
            found.addAll(AnnotationSearch.onClass(type));
            MetadataLookup<List<AnnotatedPlace>> annotated = method -> {
                List<AnnotatedPlace> onMethod = AnnotationSearch.onMethod(type, method);
                return onMethod.isEmpty() ? null : onMethod;
            };
            MethodIntrospector.selectMethods(type, annotated).values().forEach(found::addAll);
        }
        this.places = List.copyOf(found);
        this.placeholders = placeholders;
        this.describedNames = describedNames(places);
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

    final List<AnnotatedPlace> places() {
        return places;
    }

    final UnaryOperator<String> placeholders() {
        return placeholders;
    }

    /** The places of a method: first those of its class, unless it is exempt, then its own. */
    static List<AnnotatedPlace> of(Class<?> type, Method method) {
        Method called = AopUtils.getMostSpecificMethod(method, type);
        List<AnnotatedPlace> found = new ArrayList<>(isExempt(called) ? List.of() : AnnotationSearch.onClass(type));
        found.addAll(AnnotationSearch.onMethod(type, called));
        return found;
    }

    static boolean isExempt(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, NoRateLimit.class);
    }

    /**
     * The limiters that annotations describe in place. They decide after authentication, as annotations do.
     *
     * @param keys makes a resolver of the names of its parts; throws {@link IllegalArgumentException} for an unknown one
     * @param onStoreFailure their policy in an outage of the store
     * @throws InvalidRateLimitException if a description is out of range, or two that share a name differ
     */
    public final List<LimiterSpec<HttpCall>> specs(
            Function<List<String>, KeyResolver<HttpCall>> keys, OnStoreFailure onStoreFailure) {
        Map<String, AnnotatedPlace> firstByName = new LinkedHashMap<>();
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        for (AnnotatedPlace place : places) {
            if (!place.isInline()) {
                continue;
            }
            AnnotatedPlace first = firstByName.putIfAbsent(name(place), place);
            if (first == null) {
                specs.add(spec(place, name(place), keys, onStoreFailure));
            } else if (!place.annotation().equals(first.annotation())) {
                throw place.invalid(
                        "describes limiter '%s' otherwise than %s"
                                .formatted(place.annotation().name(), first),
                        "give each its own name, or describe the limiter once under ratelimit.limiters and name it");
            }
        }
        return specs;
    }

    private LimiterSpec<HttpCall> spec(
            AnnotatedPlace place,
            String name,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            OnStoreFailure onStoreFailure) {
        Rule<HttpCall> rule;
        Outcomes count;
        try {
            rule = Rule.of(
                    place.limit(name, placeholders),
                    keys.apply(Arrays.asList(place.annotation().key())));
            count = Outcomes.of(place.annotation().count());
        } catch (IllegalArgumentException e) {
            throw place.invalid(
                    String.valueOf(e.getMessage()),
                    "correct the key or count, or declare the bean; a test slice needs @Import of its configuration");
        }
        return new LimiterSpec<>(name, List.of(rule))
                .withOnStoreFailure(onStoreFailure)
                .withCount(count)
                .withPhase(Phase.AFTER_AUTHENTICATION);
    }

    /** The names of all limiters that annotations name or describe. */
    public final Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        places.forEach(place -> names.add(name(place)));
        return names;
    }

    /** The limiter that a place names or describes. */
    final String name(AnnotatedPlace place) {
        String name = place.isInline()
                ? describedNames.get(place.id())
                : place.annotation().value();
        if (name == null) {
            throw unread(place);
        }
        return name;
    }

    /** The mistake of a place that describes a limiter and was not read. */
    abstract InvalidRateLimitException unread(AnnotatedPlace place);

    /**
     * Checks that every limiter of every annotation is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public final void requireKnown(Collection<String> known) {
        requireKnown(places, known);
    }

    final void requireKnown(List<AnnotatedPlace> wanted, Collection<String> known) {
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

package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.method.ArgumentKey;
import java.lang.reflect.Method;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Reads keys from the names of their parts, among them the names of beans.
 *
 * @param ofBeans the phase of beans that do not say theirs
 * @param findings hears of mistakes that requests show
 */
public record HttpKeyResolvers(ClientAddress clientAddress, BeanFactory beans, Phase ofBeans, Findings findings)
        implements Function<List<String>, KeyResolver<HttpCall>> {

    private static final Pattern USER = Pattern.compile("(^|\\|)\\s*principal\\s*($|\\|)");

    /** Hears of a mistake. */
    @FunctionalInterface
    public interface Findings {
        /** As {@code Diagnostics} does. */
        void warn(Diagnostic what, String about, String message);
    }

    /**
     * A key resolver that was read from names, and remembers them.
     *
     * @param parts the names as they were written
     * @param each the resolver of each name
     * @param resolver the resolver of all names
     */
    public record NamedKey(List<String> parts, List<KeyResolver<HttpCall>> each, KeyResolver<HttpCall> resolver)
            implements KeyResolver<HttpCall> {

        public NamedKey {
            parts = List.copyOf(parts);
            each = List.copyOf(each);
        }

        @Override
        public Key resolve(HttpCall call) {
            return resolver.resolve(call);
        }

        @Override
        public Phase phase() {
            return resolver.phase();
        }
    }

    @Override
    public NamedKey apply(List<String> parts) {
        List<KeyResolver<HttpCall>> each = parts.stream()
                .map(part -> HttpKeys.parse(List.of(part), clientAddress, this::bean))
                .toList();
        KeyResolver<HttpCall> all = HttpKeys.parse(parts, clientAddress, this::bean);
        return new NamedKey(parts, each, USER.matcher(String.join("|", parts)).find() ? named(parts, all) : all);
    }

    /** Warns of users without a name: absent, as if nobody were signed in. */
    private KeyResolver<HttpCall> named(List<String> parts, KeyResolver<HttpCall> all) {
        String key = String.join(", ", parts);
        KeyResolver<HttpCall> named = call -> {
            Key found = all.resolve(call);
            if (!found.isWhole()
                    && call.principal().filter(user -> user.getName() == null).isPresent()) {
                findings.warn(
                        Diagnostic.USER_WITHOUT_NAME,
                        key,
                        "key %s: the user of a request has no name, as with a token without 'sub': all such users share one counter; set spring.security.oauth2.resourceserver.jwt.principal-claim-name, or add an alternative, such as principal | client-address"
                                .formatted(key));
            }
            return found;
        };
        return named.afterAuthentication();
    }

    /**
     * Reads what names the plan of a rule.
     *
     * @param plans the plans of the rule
     */
    public NamedKey plan(String property, String part, Set<String> plans) {
        NamedKey resolver = apply(List.of(part));
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(plans);
        KeyResolver<HttpCall> plan = call -> {
            Key key = resolver.resolve(call);
            key.firstPresent()
                    .map(String::strip)
                    .filter(name -> !known.contains(name))
                    .ifPresent(name -> {
                        String shown =
                                name.substring(0, Math.min(64, name.length())).replaceAll("\\p{Cntrl}", "?");
                        findings.warn(
                                Diagnostic.UNKNOWN_PLAN,
                                property,
                                "%s: no such plan: '%s'; known: %s. Such requests get the smallest limit"
                                        .formatted(property, shown, String.join(", ", known)));
                    });
            return key;
        };
        boolean isLate = resolver.phase() == Phase.AFTER_AUTHENTICATION;
        return new NamedKey(resolver.parts(), resolver.each(), isLate ? plan.afterAuthentication() : plan);
    }

    /**
     * The bean that gives each key its anchor.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    @SuppressWarnings("unchecked") // the bean's type arguments are unknown before it is called
    Function<Key, @Nullable LocalDate> anchors(String name) {
        return (Function<Key, @Nullable LocalDate>) function(name, "Key, LocalDate");
    }

    /**
     * The bean that gives the permits of a name.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    @SuppressWarnings("unchecked") // as above
    Function<String, @Nullable Long> permits(String name) {
        return (Function<String, @Nullable Long>) function(name, "String, Long");
    }

    private Function<?, ?> function(String name, String types) {
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, Function.class)) {
            throw new IllegalArgumentException("no Function<%s> bean: '%s'".formatted(types, name));
        }
        return beans.getBean(name, Function.class);
    }

    @SuppressWarnings("unchecked") // the bean's type argument is unknown before it is called
    private @Nullable KeyResolver<HttpCall> bean(String name) {
        if (name.startsWith("#")) {
            return ArgumentKey.of(name);
        }
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, KeyResolver.class)) {
            return null;
        }
        SkipConditions.requireOfCalls(beans, name, KeyResolver.class);
        KeyResolver<HttpCall> bean = beans.getBean(name, KeyResolver.class);
        KeyResolver<HttpCall> asked = call -> bean.resolve(call); // it may be of a request's scope
        return saysPhase(bean) ? bean : ofBeans == Phase.BEFORE_AUTHENTICATION ? asked : asked.afterAuthentication();
    }

    /** In a native image it may be unknown, and then the bean decides after authentication. */
    private static boolean saysPhase(KeyResolver<?> bean) {
        Method phase = ClassUtils.getMethodIfAvailable(AopUtils.getTargetClass(bean), "phase");
        return phase != null && phase.getDeclaringClass() != KeyResolver.class;
    }
}

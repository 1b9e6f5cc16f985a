package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.AddressRange;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Reads conditions from the names that properties give them, among them the names of beans.
 *
 * @param ofBeans the phase of beans, which may ask for the user
 */
public record SkipConditions(ClientAddress clientAddress, ListableBeanFactory beans, Phase ofBeans)
        implements Function<String, SkipConditions.SkipCondition> {

    /**
     * Which requests a rule does not apply to.
     *
     * @param text as it was written
     * @param holds whether a request is one of them
     * @param phase the one that this is known in first
     */
    record SkipCondition(String text, Predicate<HttpCall> holds, Phase phase) implements Predicate<HttpCall> {

        @Override
        public boolean test(HttpCall call) {
            return holds.test(call);
        }
    }

    private static final String ROLE = "role:";

    /** A text that is meant for an address, so that a mistake in one is reported as such. */
    private static final Pattern LIKE_AN_ADDRESS = Pattern.compile("[0-9.]+(/.*)?|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(/.*)?");

    /** Whether a condition is about what requests alone have: a role or an address. */
    public static boolean isOfRequests(String condition) {
        return condition.startsWith(ROLE) || LIKE_AN_ADDRESS.matcher(condition).matches();
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if there is no such condition; names it and the known forms
     */
    @Override
    public SkipCondition apply(String condition) {
        String name = condition.strip();
        if (name.startsWith(ROLE) && name.length() > ROLE.length()) {
            String role = name.substring(ROLE.length());
            return new SkipCondition(name, call -> call.hasRole(role), Phase.AFTER_AUTHENTICATION);
        }
        if (!name.isEmpty() && beans.containsBean(name) && beans.isTypeMatch(name, Predicate.class)) {
            requireOfCalls(beans, name, Predicate.class);
            return new SkipCondition(name, bean(name), ofBeans);
        }
        if (LIKE_AN_ADDRESS.matcher(name).matches()) {
            AddressRange range = AddressRange.parse(name);
            return new SkipCondition(
                    name,
                    call -> clientAddress.address(call).filter(range::contains).isPresent(),
                    Phase.BEFORE_AUTHENTICATION);
        }
        String known = Arrays.stream(beans.getBeanNamesForType(Predicate.class, true, false))
                .sorted()
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "no such condition: '%s'; known: role:<ROLE>, an address range such as 10.0.0.0/8, or the name of a Predicate<HttpCall> bean: %s"
                        .formatted(name, known.isEmpty() ? "there is none" : known));
    }

    /** Fails if a bean of the generic type is declared to be about anything but calls: each request would fail by a cast. */
    public static void requireOfCalls(BeanFactory beans, String name, Class<?> type) {
        if (beans instanceof ConfigurableListableBeanFactory known && known.containsBeanDefinition(name)) {
            Class<?> asked = known.getMergedBeanDefinition(name)
                    .getResolvableType()
                    .as(type)
                    .resolveGeneric(0);
            if (asked != null && !asked.isAssignableFrom(HttpCall.class)) {
                throw new IllegalArgumentException("the bean '%1$s' is a %2$s<%3$s>, and must be a %2$s<HttpCall>"
                        .formatted(name, type.getSimpleName(), asked.getSimpleName()));
            }
        }
    }

    @SuppressWarnings("unchecked") // the bean's type argument is unknown before it is called
    private Predicate<HttpCall> bean(String name) {
        return (Predicate<HttpCall>) beans.getBean(name, Predicate.class);
    }
}

package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Finds misspelt properties below the library's own names. An application may have other names below {@code ratelimit}.
 *
 * <p>An unknown environment variable of a limiter is a warning. Other variables are ignored, because a platform sets some, such as
 * {@code RATELIMIT_REDIS_PORT}.
 */
public final class KnownProperties {

    private static final Log LOG = LogFactory.getLog(KnownProperties.class);

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

    private static final ConfigurationPropertyName LIMITERS = ConfigurationPropertyName.of("ratelimit.limiters");

    private static final Pattern OF_LIMITERS = Pattern.compile(".*\\.(plans\\..+|("
            + String.join("|", names(LimiterProperties.class)).replace("-", "\\.?") + ")(\\[\\d+])?)");

    private KnownProperties() {}

    /**
     * Checks that every property is known, and that no source has two names that Spring Boot reads as one.
     *
     * @throws InvalidRateLimitException if one is not; names it, its value and the known names
     */
    public static void requireAll(ConfigurableEnvironment environment) {
        Predicate<ConfigurationPropertySource> written = new UnboundElementsSourceFilter()::apply;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                boolean stops = written.test(source);
                Map<ConfigurationPropertyName, String> spellings = new HashMap<>();
                for (ConfigurationPropertyName name : iterable) {
                    if (stops ? isOurs(name) : isMisspelt(name)) {
                        require(name, source, stops, spellings);
                    }
                }
            }
        }
    }

    private static boolean isOurs(ConfigurationPropertyName name) {
        return ROOT.isAncestorOf(name)
                && component(RateLimitProperties.class, name.getElement(1, Form.UNIFORM)) != null;
    }

    /** Of an environment variable, which may be split at dashes. */
    private static boolean isMisspelt(ConfigurationPropertyName name) {
        return LIMITERS.isAncestorOf(name)
                && !OF_LIMITERS.matcher(name.toString()).matches();
    }

    private static void require(
            ConfigurationPropertyName name,
            ConfigurationPropertySource source,
            boolean stops,
            Map<ConfigurationPropertyName, String> spellings) {
        try {
            require(name, 1, ResolvableType.forClass(RateLimitProperties.class), source, spellings);
        } catch (InvalidRateLimitException e) {
            if (stops) {
                throw e;
            }
            ConfigurationProperty property = source.getConfigurationProperty(name);
            LOG.warn("%s (from %s); %s"
                    .formatted(e.getMessage(), property == null ? source : property.getOrigin(), e.remedy()));
        }
    }

    /** Checks the names below a map's entry, a record's component or an item of a list. */
    private static void require(
            ConfigurationPropertyName name,
            int at,
            ResolvableType type,
            ConfigurationPropertySource source,
            Map<ConfigurationPropertyName, String> spellings) {
        if (at == name.getNumberOfElements()) {
            return;
        }
        Class<?> known = type.toClass();
        if (Map.class.isAssignableFrom(known)) {
            ResolvableType value = type.asMap().getGeneric(1);
            boolean isRecord = value.toClass().isRecord(); // else the key is the whole rest with its dots
            ConfigurationPropertyName entry = isRecord ? name.chop(at + 1) : name;
            String spelling = IntStream.range(0, entry.getNumberOfElements())
                    .mapToObj(i -> entry.getElement(i, Form.ORIGINAL))
                    .collect(Collectors.joining("."));
            String other = spellings.putIfAbsent(entry, spelling);
            if (other != null && !other.equals(spelling)) {
                throw new InvalidRateLimitException(
                        "%s, %s: names that differ only in dashes and letter case are one name to Spring Boot"
                                .formatted(other, spelling),
                        "rename one of them, or use one spelling");
            }
            if (isRecord) {
                require(name, at + 1, value, source, spellings);
            }
        } else if (known.isRecord()) {
            ResolvableType component = component(known, name.getElement(at, Form.UNIFORM));
            if (component == null) {
                throw unknown(name, at, known, source);
            }
            require(name, at + 1, component, source, spellings);
        } else if (!name.isNumericIndex(at)) {
            throw unknown(name, at, known, source);
        }
    }

    private static @Nullable ResolvableType component(Class<?> known, String uniform) {
        Constructor<?> made = known.getDeclaredConstructors()[0]; // which Spring Boot binds by
        Parameter[] parameters = made.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].getName().equalsIgnoreCase(uniform)) {
                return ResolvableType.forConstructorParameter(made, i);
            }
        }
        return null;
    }

    private static InvalidRateLimitException unknown(
            ConfigurationPropertyName name, int at, Class<?> known, ConfigurationPropertySource source) {
        String written = name.getElement(at, Form.ORIGINAL);
        ConfigurationPropertyName parent = name.chop(at);
        boolean isSecret = parent.toString().matches("ratelimit\\.(redis|postgresql).*");
        Object value = isSecret ? "not shown" : value(name, source);
        String message = "%s: no such property: '%s' (its value: %s)".formatted(name, written, value);
        if (!known.isRecord()) {
            return new InvalidRateLimitException(message, "give %s itself a value".formatted(parent));
        }
        List<String> names = names(known);
        return new InvalidRateLimitException(
                message + "; known: " + String.join(", ", names),
                "correct the name below %s, or remove the property".formatted(parent));
    }

    private static List<String> names(Class<?> known) {
        return Arrays.stream(known.getDeclaredConstructors()[0].getParameters())
                .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .sorted()
                .toList();
    }

    private static @Nullable Object value(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return property == null ? null : property.getValue();
    }
}

package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A property means the same as a number, a string or a list of YAML and as an environment variable. */
class PropertyFormsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withInitializer(
                    context -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
            .withUserConfiguration(Properties.class);

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(RateLimitProperties.class)
    static class Properties {}

    /** A property with its type. */
    record Property(String name, ResolvableType type) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Property> below(String name, ResolvableType type) {
        Class<?> of = type.toClass();
        if (Map.class.isAssignableFrom(of)) {
            return below(name + ".one", type.asMap().getGeneric(1));
        }
        if (!of.isRecord() || of == Window.class) {
            return Stream.of(new Property(name, type));
        }
        Constructor<?> made = of.getDeclaredConstructors()[0];
        List<Property> all = new ArrayList<>();
        for (int i = 0; i < made.getParameterCount(); i++) {
            Parameter parameter = made.getParameters()[i];
            below(
                            name + "." + DataObjectPropertyName.toDashedForm(parameter.getName()),
                            ResolvableType.forConstructorParameter(made, i))
                    .forEach(all::add);
        }
        return all.stream();
    }

    private static Stream<Property> all() {
        return below("ratelimit", ResolvableType.forClass(RateLimitProperties.class));
    }

    static List<Property> numbers() {
        return all().filter(property -> Set.of(
                                long.class,
                                Long.class,
                                int.class,
                                double.class,
                                Duration.class,
                                Window.class,
                                String.class)
                        .contains(property.type().toClass()))
                .toList();
    }

    static List<Property> lists() {
        return all().filter(property -> property.type().toClass() == List.class).toList();
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void numberIsReadFromEverySource(Property property) {
        RateLimitProperties expected = bound(yaml(property.name(), "60"));
        assertThat(expected).isNotEqualTo(bound(yaml("other", "60")));
        assertThat(bound(yaml(property.name(), 60))).isEqualTo(expected);
        assertThat(bound(variable(property.name(), "60"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("lists")
    void listIsReadFromEverySource(Property property) {
        RateLimitProperties expected = bound(yaml(property.name() + "[0]", "10", property.name() + "[1]", "20"));
        assertThat(expected).isNotEqualTo(bound(yaml("other", "60")));
        assertThat(bound(yaml(property.name() + "[0]", 10, property.name() + "[1]", 20)))
                .isEqualTo(expected);
        assertThat(bound(yaml(property.name(), "10, 20"))).isEqualTo(expected);
        assertThat(bound(variable(property.name(), "10,20"))).isEqualTo(expected);
        assertThat(bound(variable(property.name() + ".0", "10", property.name() + ".1", "20")))
                .isEqualTo(expected);
        assertThat(bound(yaml(property.name(), 10))).isEqualTo(bound(yaml(property.name(), "10")));
    }

    /** As YAML is loaded: numbers stay numbers. */
    private static PropertySource<?> yaml(Object... pairs) {
        return new MapPropertySource("yaml", map(pairs));
    }

    private static PropertySource<?> variable(Object... pairs) {
        Map<String, Object> variables = new LinkedHashMap<>();
        map(pairs)
                .forEach((name, value) ->
                        variables.put(name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT), value));
        return new SystemEnvironmentPropertySource("test-systemEnvironment", variables);
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private RateLimitProperties bound(PropertySource<?> source) {
        RateLimitProperties[] bound = new RateLimitProperties[1];
        runner.withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(source))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    bound[0] = context.getBean(RateLimitProperties.class);
                });
        return bound[0];
    }
}

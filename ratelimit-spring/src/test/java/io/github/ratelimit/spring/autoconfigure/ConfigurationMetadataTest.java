package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.internal.properties.LimiterProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.BoundPropertiesTrackingBindHandler;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** An IDE offers each property that binds, with its type and one sentence, and offers nothing else. */
class ConfigurationMetadataTest {

    /** The map of all limiters: its entries have names of their own. */
    private static final String LIMITERS = "ratelimit.limiters";

    /** For types without a hint or a default. */
    private static final Map<String, String> SAMPLES =
            Map.of("java.lang.Long", "1", "java.time.Duration", "1m", "io.github.ratelimit.OnStoreFailure", "reject");

    /**
     * An entry of the metadata.
     *
     * @param values its hints
     */
    record Entry(
            String name,
            String type,
            String description,
            @Nullable Object defaultValue,
            List<String> values) {

        /** Hints, or the default, or some value of the type. */
        List<String> samples() {
            if (!values.isEmpty()) {
                return values;
            }
            return List.of(
                    defaultValue == null || defaultValue instanceof List
                            ? SAMPLES.getOrDefault(type, "any")
                            : defaultValue.toString());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Map<String, Object> metadata() throws Exception {
        URI classes = RateLimitProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        return JsonParserFactory.getJsonParser()
                .parseMap(Files.readString(
                        Path.of(classes).resolve("META-INF").resolve("spring-configuration-metadata.json")));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> in, String name) {
        return (List<Map<String, Object>>) in.getOrDefault(name, List.of());
    }

    private static Map<String, List<String>> hints() throws Exception {
        return list(metadata(), "hints").stream()
                .collect(Collectors.toMap(
                        hint -> String.valueOf(hint.get("name")),
                        hint -> list(hint, "values").stream()
                                .map(value -> String.valueOf(value.get("value")))
                                .toList()));
    }

    static Stream<Entry> entries() throws Exception {
        Map<String, List<String>> hints = hints();
        return list(metadata(), "properties").stream()
                .map(property -> new Entry(
                        String.valueOf(property.get("name")),
                        String.valueOf(property.get("type")),
                        String.valueOf(property.get("description")),
                        property.get("defaultValue"),
                        hints.getOrDefault(String.valueOf(property.get("name")), List.of())))
                .filter(entry ->
                        entry.name().startsWith("ratelimit.") && !entry.name().equals(LIMITERS));
    }

    /** Types by name, as Spring Boot binds them. */
    private static Map<String, ResolvableType> bindable() {
        Map<String, ResolvableType> found = new TreeMap<>();
        collect("ratelimit", ResolvableType.forClass(RateLimitProperties.class), found);
        return found;
    }

    private static void collect(String name, ResolvableType type, Map<String, ResolvableType> found) {
        if (type.toClass() == Map.class && type.getGeneric(1).toClass().isRecord()) {
            return; // an IDE reads the names below a map's entry off the entry's class
        } else if (type.toClass().isRecord() && type.toClass() != Window.class) {
            Constructor<?> bound = type.toClass().getDeclaredConstructors()[0];
            for (int i = 0; i < bound.getParameterCount(); i++) {
                String part = DataObjectPropertyName.toDashedForm(bound.getParameters()[i].getName());
                collect(name + "." + part, ResolvableType.forConstructorParameter(bound, i), found);
            }
        } else {
            found.put(name, type);
        }
    }

    @Test
    void hasAnEntryForEachPropertyThatBinds() throws Exception {
        assertThat(entries().map(Entry::name))
                .containsExactlyInAnyOrderElementsOf(bindable().keySet());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void tellsTypeAndOneSentence(Entry entry) {
        ResolvableType type = bindable().get(entry.name());
        assertThat(type).isNotNull();
        Set<String> types = type.toClass().getName().startsWith(RateLimitProperties.class.getPackageName())
                ? Set.of(type.toClass().getName(), "java.lang.String") // which no application can name
                : Set.of(
                        type.hasGenerics()
                                ? type.toString().replace(" ", "")
                                : ClassUtils.resolvePrimitiveIfNecessary(type.toClass())
                                        .getName());
        assertThat(types).contains(entry.type());
        assertThat(entry.description())
                .matches("[A-Z].*[^.]\\.")
                .doesNotContain(". ")
                .satisfies(text -> assertThat(text.split(" ")).hasSizeLessThanOrEqualTo(20));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void offersValuesThatBind(Entry entry) {
        String name = entry.name();
        for (String sample : entry.samples()) {
            List<String> bound = new ArrayList<>();
            new Binder(new MapConfigurationPropertySource(Map.of(name, sample)))
                    .bind(
                            "ratelimit",
                            Bindable.of(RateLimitProperties.class),
                            new BoundPropertiesTrackingBindHandler(
                                    property -> bound.add(property.getName().toString())));
            assertThat(bound).containsExactly(name);
        }
    }

    /** The format has no pattern for the names of a map's entries. */
    @Test
    void limitersAreOneMapOfTheirProperties() throws Exception {
        assertThat(list(metadata(), "properties"))
                .filteredOn(property -> LIMITERS.equals(property.get("name")))
                .singleElement()
                .satisfies(property -> assertThat(property)
                        .containsEntry(
                                "type",
                                "java.util.Map<java.lang.String,%s>".formatted(LimiterProperties.class.getName())));
    }

    @Test
    void hintsAreOfPropertiesThatBind() throws Exception {
        assertThat(bindable().keySet()).containsAll(hints().keySet());
        assertThat(hints()).containsKeys("ratelimit.store", "ratelimit.http.headers", "ratelimit.redis.topology");
    }
}

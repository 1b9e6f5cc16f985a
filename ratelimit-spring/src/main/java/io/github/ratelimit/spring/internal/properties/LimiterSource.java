package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.properties.HttpKeyResolvers.NamedKey;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/** Reads what properties and annotations say of limiters; anew each time, as the values of properties may change. */
public record LimiterSource(
        Function<Phase, HttpKeyResolvers> keys,
        Function<Phase, SkipConditions> conditions,
        AnnotatedBeans annotated,
        Environment environment) {

    /** Those of properties alone. */
    public List<LimiterSpec<HttpCall>> byProperties(RateLimitProperties properties) {
        List<String> elsewhere =
                annotated(properties).stream().map(LimiterSpec::name).toList();
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        properties.limiters().forEach((name, limiter) -> {
            boolean isBeside = limiter.rules().isEmpty() && elsewhere.contains(known(name, elsewhere));
            if (!limiter.isDescribedElsewhere() && !isBeside) {
                try {
                    specs.add(ConfiguredLimiters.spec(name, limiter, properties.onStoreFailure(), this));
                } catch (InvalidRateLimitException e) {
                    throw misspelt(
                            e, name, Stream.of(elsewhere, properties.limiters().keySet()));
                }
            }
        });
        return specs;
    }

    /** Names the variables of a limiter that nothing else names: most often they mean another one. */
    private InvalidRateLimitException misspelt(
            InvalidRateLimitException mistake, String name, Stream<Collection<String>> known) {
        ConfigurationPropertyName limiter = ConfigurationPropertyName.adapt("ratelimit.limiters." + name, '.');
        List<ConfigurationPropertySource> sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(source -> source.containsDescendantOf(limiter) == ConfigurationPropertyState.PRESENT)
                .toList();
        if (sources.stream().anyMatch(new UnboundElementsSourceFilter()::apply)) {
            return mistake; // of a file
        }
        String variables = sources.stream()
                .flatMap(source -> ((IterableConfigurationPropertySource) source)
                        .stream().filter(limiter::isAncestorOf).map(source::getConfigurationProperty))
                .filter(Objects::nonNull)
                .map(variable -> "%s (its value: %s)".formatted(variable.getOrigin(), variable.getValue()))
                .collect(Collectors.joining(", "));
        String others = known.flatMap(Collection::stream)
                .filter(other -> !other.equals(name))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return variables.isEmpty() || others.isEmpty()
                ? mistake
                : new InvalidRateLimitException(
                        mistake.diagnostic().orElse(null),
                        "%s; limiter '%s' has only %s".formatted(mistake.getMessage(), name, variables),
                        "correct the name of the limiter in the variable (properties and annotations have: %s), or %s"
                                .formatted(others, mistake.remedy()));
    }

    /** Those of annotations. A property beside one changes its value alone. */
    public List<LimiterSpec<HttpCall>> byAnnotations(RateLimitProperties properties) {
        return annotated(properties).stream()
                .map(spec -> {
                    LimiterProperties beside = beside(spec.name(), properties);
                    return beside == null || beside.isDescribedElsewhere() ? spec : changed(spec, beside);
                })
                .toList();
    }

    private List<LimiterSpec<HttpCall>> annotated(RateLimitProperties properties) {
        HttpKeyResolvers late = keys.apply(Phase.AFTER_AUTHENTICATION);
        return annotated.specs(late, properties.onStoreFailure());
    }

    private @Nullable LimiterProperties beside(String name, RateLimitProperties properties) {
        LimiterProperties named = properties.limiters().entrySet().stream()
                .filter(limiter -> known(limiter.getKey(), List.of(name)).equals(name)
                        && limiter.getValue().rules().isEmpty())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        if (!name.contains(".")) {
            return named;
        }
        // A variable spells no bracket: OrderController.order is ORDERCONTROLLER_ORDER, where Spring Boot sees two
        // names.
        LimiterProperties dotted = Binder.get(environment)
                .bind(
                        ConfigurationPropertyName.adapt("ratelimit.limiters." + name, '.'),
                        Bindable.of(LimiterProperties.class))
                .orElse(null);
        if (named != null && dotted != null) {
            throw new InvalidRateLimitException(
                    "ratelimit.limiters: '%s' stands there with brackets and without".formatted(name),
                    "give all of its values in one form, or give the annotation a name without dots");
        }
        return dotted == null ? named : dotted;
    }

    private LimiterSpec<HttpCall> changed(LimiterSpec<HttpCall> spec, LimiterProperties beside) {
        Rule<HttpCall> rule = spec.rules().get(0);
        Limit limit = rule.limits().get(0);
        CalendarWindow calendar = limit.shape().calendar();
        Window window = calendar == null
                ? new Window(limit.window().toString(), limit.window())
                : Window.valueOf(calendar.unit().toString());
        List<String> key = rule.key() instanceof NamedKey named ? named.parts() : List.of("client-address");
        LimiterSpec<HttpCall> changed = ConfiguredLimiters.spec(
                spec.name(), beside.beside(limit.permits(), window, key), spec.onStoreFailure(), this);
        return (beside.count().isEmpty() ? changed.withCount(spec.count()) : changed)
                .withPhase(beside.phase() == null ? spec.phase() : beside.phase());
    }

    /**
     * The name of a limiter as it is described elsewhere, if properties mean it: a variable spells neither dashes nor capitals.
     *
     * @param known the names of limiters
     */
    static String known(String name, Collection<String> known) {
        return known.contains(name)
                ? name
                : known.stream()
                        .filter(other -> plain(other).equals(plain(name)))
                        .findFirst()
                        .orElse(name);
    }

    private static String plain(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }
}

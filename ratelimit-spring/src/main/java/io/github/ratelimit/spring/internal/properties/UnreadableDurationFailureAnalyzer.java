package io.github.ratelimit.spring.internal.properties;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Tells of a duration that cannot be read as of anything else that is wrong in a property of the library. Before Spring Boot's own analyzers. */
@Order(0)
class UnreadableDurationFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("ratelimit");

    private static final Set<Class<?>> DURATIONS = Set.of(Duration.class, RuleProperties.Window.class);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        ConfigurationProperty property = cause.getProperty();
        if (property == null
                || !OURS.isAncestorOf(property.getName())
                || !DURATIONS.contains(cause.getTarget().getType().resolve(Object.class))) {
            return null;
        }
        String origin = property.getOrigin() == null ? "" : " (from " + property.getOrigin() + ")";
        return new FailureAnalysis(
                "%s: '%s' is not a duration%s".formatted(property.getName(), property.getValue(), origin),
                "write for example 30s, 1m, 24h; for limiters also day, week, month, quarter or year",
                cause);
    }
}

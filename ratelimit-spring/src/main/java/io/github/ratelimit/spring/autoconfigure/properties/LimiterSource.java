package io.github.ratelimit.spring.autoconfigure.properties;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.annotation.AnnotatedMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;

/** Reads what properties and annotations say of limiters; anew each time, as the values of properties may change. */
public record LimiterSource(
        Function<Phase, HttpKeyResolvers> keys,
        Function<Phase, SkipConditions> conditions,
        ObjectProvider<AnnotatedLimiters> annotated,
        AnnotatedMethods methods) {

    public List<LimiterSpec<HttpCall>> byProperties(RateLimitProperties properties) {
        return ConfiguredLimiters.specs(properties, keys, conditions);
    }

    public List<LimiterSpec<HttpCall>> byAnnotations(RateLimitProperties properties) {
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        HttpKeyResolvers late = keys.apply(Phase.AFTER_AUTHENTICATION);
        annotated.ifAvailable(read -> specs.addAll(read.specs(late, properties.onStoreFailure())));
        specs.addAll(methods.specs(late, properties.onStoreFailure()));
        return specs;
    }
}

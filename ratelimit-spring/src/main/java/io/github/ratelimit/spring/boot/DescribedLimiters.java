package io.github.ratelimit.spring.boot;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.AnnotatedMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;

/** Reads what properties and annotations say of limiters; anew each time, as the values of properties may change. */
record DescribedLimiters(
        Function<List<String>, KeyResolver<HttpCall>> keys,
        SkipConditions conditions,
        ObjectProvider<AnnotatedLimiters> annotated,
        AnnotatedMethods methods) {

    List<LimiterSpec<HttpCall>> byProperties(RateLimitProperties properties) {
        return ConfiguredLimiters.specs(properties, keys, conditions);
    }

    List<LimiterSpec<HttpCall>> byAnnotations(RateLimitProperties properties) {
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        annotated.ifAvailable(read -> specs.addAll(read.specs(keys, properties.onStoreFailure())));
        specs.addAll(methods.specs(keys, properties.onStoreFailure()));
        return specs;
    }
}

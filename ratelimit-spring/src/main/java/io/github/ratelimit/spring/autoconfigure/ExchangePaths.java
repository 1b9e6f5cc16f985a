package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.diagnostics.MappedMethod;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** Finds the methods that WebFlux maps requests to. */
final class ExchangePaths {

    private ExchangePaths() {}

    /** The methods that requests are mapped to. */
    static List<MappedMethod> mapped(Stream<RequestMappingInfoHandlerMapping> mappings) {
        return mappings.flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .map(ExchangePaths::mapped)
                .toList();
    }

    private static MappedMethod mapped(Map.Entry<RequestMappingInfo, HandlerMethod> mapped) {
        RequestMappingInfo info = mapped.getKey();
        return MappedMethod.of(
                info.getMethodsCondition().getMethods(),
                info.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString),
                mapped.getValue());
    }
}

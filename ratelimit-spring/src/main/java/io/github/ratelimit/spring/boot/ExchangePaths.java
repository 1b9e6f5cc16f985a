package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.webflux.ExchangeRefusals;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.config.WebFluxConfigurationSupport;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;

/** Finds out what WebFlux serves. */
final class ExchangePaths {

    private ExchangePaths() {}

    static ServedPaths of(ApplicationContext context) {
        String property = "spring.webflux.base-path";
        ServedPaths served = new ServedPaths(property, context.getEnvironment().getProperty(property, ""));
        BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                .values()
                .forEach(mapping -> add(mapping, served));
        if (context.getBeanProvider(WebFilter.class).stream().anyMatch(ExchangePaths::mayAnswer)) {
            served.mayServeMore();
        }
        return served;
    }

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

    private static void add(HandlerMapping mapping, ServedPaths served) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            mapped(Stream.of(methods)).forEach(method -> method.paths().forEach(served::add));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            urls.getHandlerMap().forEach((pattern, handler) -> {
                if (handler instanceof ResourceWebHandler files
                        && pattern.getPatternString().equals("/**")) {
                    served.addFiles(files.getLocations()); // would serve every path, were there a file for each
                } else {
                    served.add(pattern.getPatternString());
                }
            });
        } else if (!(mapping instanceof ExchangeRefusals) && !isEmpty(mapping)) {
            served.mayServeMore();
        }
    }

    /** One without routes, or the one that stands for files where there are none. */
    private static boolean isEmpty(HandlerMapping mapping) {
        return mapping instanceof RouterFunctionMapping functions
                ? functions.getRouterFunction() == null
                : mapping.getClass().getEnclosingClass() == WebFluxConfigurationSupport.class;
    }

    private static boolean mayAnswer(WebFilter filter) {
        String type = filter.getClass().getName();
        return !(type.startsWith("org.springframework.web.")
                || type.startsWith("org.springframework.boot.")
                || type.startsWith("io.github.ratelimit.spring.webflux."));
    }
}

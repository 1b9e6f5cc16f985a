package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests.Route;
import io.github.ratelimit.spring.internal.diagnostics.MappedMethod;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Finds the methods that Spring MVC maps requests to. A separate class, so that it is loaded only with Spring MVC. */
final class MvcPaths {

    private MvcPaths() {}

    /** The methods that requests are mapped to. */
    static List<MappedMethod> mapped(ApplicationContext context) {
        String prefix = prefix(context.getEnvironment());
        return context.getBeanProvider(RequestMappingInfoHandlerMapping.class)
                .orderedStream()
                .flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .map(mapped -> mapped(mapped, prefix))
                .toList();
    }

    /** The routes of Spring Cloud Gateway on Spring MVC: by their properties, as nothing else of it is needed. */
    static List<Route> routes(Environment environment) {
        Bindable<List<Map<String, Object>>> routes = Bindable.of(ResolvableType.forClassWithGenerics(
                List.class, ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));
        return Binder.get(environment)
                .bind("spring.cloud.gateway.server.webmvc.routes", routes)
                .orElse(List.of())
                .stream()
                .map(route -> Route.of(String.valueOf(route.get("id")), texts(route.get("predicates")), List.of()))
                .toList();
    }

    /** All texts of predicates: {@code Path=/orders/**}, or its parts. */
    private static Stream<String> texts(@Nullable Object value) {
        return value instanceof Map<?, ?> map
                ? map.values().stream().flatMap(MvcPaths::texts)
                : Stream.of(String.valueOf(value));
    }

    private static MappedMethod mapped(Map.Entry<RequestMappingInfo, HandlerMethod> mapped, String prefix) {
        RequestMappingInfo info = mapped.getKey();
        return MappedMethod.of(
                info.getMethodsCondition().getMethods(),
                info.getPatternValues().stream().map(pattern -> prefix + pattern),
                mapped.getValue());
    }

    private static String prefix(Environment environment) {
        return StringUtils.trimTrailingCharacter(environment.getProperty("spring.mvc.servlet.path", ""), '/');
    }
}

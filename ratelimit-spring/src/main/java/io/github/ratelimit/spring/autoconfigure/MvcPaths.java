package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.diagnostics.MappedMethod;
import java.util.List;
import java.util.Map;
import org.springframework.context.ApplicationContext;
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

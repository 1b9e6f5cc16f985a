package io.github.ratelimit.spring.boot;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/** Finds out what Spring MVC, servlets and filters serve. */
final class ServletPaths {

    private final ServedPaths served;
    private final String prefix;

    private ServletPaths(ServedPaths served, String prefix) {
        this.served = served;
        this.prefix = prefix;
    }

    static ServedPaths of(WebApplicationContext context) {
        Environment environment = context.getEnvironment();
        String property = "server.servlet.context-path";
        ServedPaths served = new ServedPaths(property, environment.getProperty(property, ""));
        ServletPaths paths = new ServletPaths(served, prefix(environment));
        BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                .values()
                .forEach(paths::add);
        paths.add(context.getServletContext());
        return served;
    }

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

    private void add(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            methods.getHandlerMethods()
                    .keySet()
                    .forEach(info -> info.getPatternValues().forEach(pattern -> served.add(prefix + pattern)));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls && urls.getDefaultHandler() == null) {
            urls.getHandlerMap().forEach((pattern, handler) -> {
                if (handler instanceof ResourceHttpRequestHandler resources && pattern.equals("/**")) {
                    served.addFiles(resources.getLocations()); // would serve every path, were there a file for each
                } else {
                    served.add(prefix + pattern);
                }
            });
            if (urls.getRootHandler() != null) {
                served.add(prefix + "/");
            }
        } else if (!(mapping instanceof RouterFunctionMapping functions && functions.getRouterFunction() == null)) {
            served.mayServeMore();
        }
    }

    private void add(@Nullable ServletContext servlets) {
        if (servlets == null || servlets.getServletRegistrations().isEmpty()) {
            served.mayServeMore(); // not begun yet, or none that can be asked
            return;
        }
        for (ServletRegistration servlet : servlets.getServletRegistrations().values()) {
            if (!servlet.getName().equals("dispatcherServlet")) {
                servlet.getMappings().forEach(this::add);
            }
        }
        if (servlets.getFilterRegistrations().values().stream().anyMatch(ServletPaths::mayAnswer)) {
            served.mayServeMore();
        }
    }

    /** Of the forms of the servlet specification: "/*" ends a prefix, "*." begins an extension. */
    private void add(String mapping) {
        if (mapping.startsWith("*.")) {
            served.mayServeMore();
        }
        served.add(mapping.endsWith("/*") ? mapping + "*" : mapping);
    }

    private static boolean mayAnswer(FilterRegistration filter) {
        String type = String.valueOf(filter.getClassName());
        return type.contains("DelegatingFilterProxy") // such as that of Spring Security, which answers sign-ins
                || !(type.startsWith("org.springframework.web.")
                        || type.startsWith("org.springframework.boot.")
                        || type.equals("org.apache.tomcat.websocket.server.WsFilter")
                        || type.equals("io.github.ratelimit.servlet.RateLimitFilter"));
    }
}

package io.github.ratelimit.spring.internal.web.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Stream;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.handler.HandlerMappingIntrospector;

/** Runs the application's own CORS filters around an answer that is given before a request reaches them. */
public final class CorsFilters {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.FilterChainProxy", CorsFilters.class.getClassLoader());

    private final ApplicationContext context;

    /** Creates one for the filters of this context and of Spring Security. */
    public CorsFilters(ApplicationContext context) {
        this.context = context;
    }

    /**
     * Answers, unless a filter rejects the origin. A filter that the request has passed already only passes it on.
     *
     * @throws IOException of the answer, if the client is gone
     * @throws ServletException of the answer
     */
    public void around(HttpServletRequest request, HttpServletResponse response, FilterChain answer)
            throws IOException, ServletException {
        FilterChain filtered = (asked, answered) -> {
            FilterChain all = answer;
            for (Filter filter : filters(request).toList()) {
                FilterChain inner = all;
                all = (same, about) -> filter.doFilter(same, about, inner);
            }
            all.doFilter(asked, answered);
        };
        // Spring 6 warns if its filters ask for handlers that it has not looked up for all of them before.
        HandlerMappingIntrospector handlers =
                context.getBeanProvider(HandlerMappingIntrospector.class).getIfUnique();
        if (handlers == null) {
            filtered.doFilter(request, response);
        } else {
            handlers.createCacheFilter().doFilter(request, response, filtered);
        }
    }

    private Stream<Filter> filters(HttpServletRequest request) {
        Stream<Filter> registered = context.getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .map(registration -> registration.getFilter());
        Stream<Filter> own =
                Stream.concat(context.getBeanProvider(CorsFilter.class).orderedStream(), registered);
        return Stream.concat(SECURITY ? Security.filters(context, request) : Stream.empty(), own)
                .filter(CorsFilter.class::isInstance);
    }

    /** A separate class, so that it is loaded only with Spring Security. */
    private static final class Security {

        static Stream<Filter> filters(ApplicationContext context, HttpServletRequest request) {
            return context.getBeanProvider(FilterChainProxy.class).stream()
                    .flatMap(proxy -> proxy.getFilterChains().stream())
                    .filter(chain -> chain.matches(request))
                    .limit(1)
                    .flatMap(chain -> chain.getFilters().stream());
        }
    }
}

package io.github.ratelimit.spring.internal.web.servlet;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Handlers;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Registers the interceptor, warns if nobody asked for it, and checks the controllers of contexts below this one once they are there. */
public final class RegisteringConfigurer
        implements WebMvcConfigurer, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

    private final RateLimitInterceptor interceptor;
    private final AnnotatedBeans annotated;
    private final HttpRateLimiter limiter;
    private final ObjectProvider<LimitedRequests> places;
    private final Diagnostics diagnostics;
    private volatile boolean asked;

    /** Makes it for the only interceptor. */
    public RegisteringConfigurer(
            RateLimitInterceptor interceptor,
            AnnotatedBeans annotated,
            HttpRateLimiter limiter,
            ObjectProvider<LimitedRequests> places,
            Diagnostics diagnostics) {
        this.interceptor = interceptor;
        this.annotated = annotated;
        this.limiter = limiter;
        this.places = places;
        this.diagnostics = diagnostics;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        asked = true;
        registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE); // keys see what others have set
    }

    /** Who sets up Spring MVC by hand asks nobody. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!asked) {
            places.getObject().mapped().get().stream()
                    .filter(method -> !method.limiters(annotated).isEmpty())
                    .findFirst()
                    .ifPresent(method -> diagnostics.warn(
                            Diagnostic.UNREAD_ANNOTATION,
                            "@RateLimit on %s has no effect, nor has any other: Spring MVC asks for no interceptors, most often because a configuration extends WebMvcConfigurationSupport; let it implement WebMvcConfigurer instead, or add the RateLimitInterceptor bean in its addInterceptors"
                                    .formatted(method.name())));
        }
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getBeanProvider(AnnotatedBeans.class).getIfUnique() == annotated) { // it has no other one
            context.getBeansOfType(RequestMappingInfoHandlerMapping.class, true, false)
                    .values()
                    .forEach(mapping -> mapping.getHandlerMethods()
                            .values()
                            .forEach(handler -> annotated.requireKnown(
                                    Handlers.controller(handler),
                                    handler.getMethod(),
                                    limiter.limiters().names())));
        }
    }
}

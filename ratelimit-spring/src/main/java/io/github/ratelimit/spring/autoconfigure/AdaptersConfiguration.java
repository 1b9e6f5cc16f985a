package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.MappedMethod;
import io.github.ratelimit.spring.diagnostics.RequestPlaces;
import io.github.ratelimit.spring.web.servlet.HandlerLookUp;
import io.github.ratelimit.spring.web.servlet.RateLimitExceptionResolver;
import io.github.ratelimit.spring.web.servlet.RateLimitInterceptor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** For Spring MVC: registers the interceptor, which knows controllers, and answers rejections as Spring MVC does. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class AdaptersConfiguration {

    @Bean("io.github.ratelimit.rateLimitInterceptor")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    RateLimitInterceptor rateLimitInterceptor(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RequestCost cost,
            ServletOrigin origin,
            ExcludedPaths excluded) {
        return new RateLimitInterceptor(limiter, annotated, cost, origin, excluded);
    }

    @Bean("io.github.ratelimit.rateLimitHandlerLookUp")
    HandlerLookUp rateLimitHandlerLookUp(ApplicationContext context) {
        return new HandlerLookUp(context);
    }

    @Bean("io.github.ratelimit.rateLimitExceptionResolver")
    @ConditionalOnMissingBean
    RateLimitExceptionResolver rateLimitExceptionResolver(RejectionBody rejectionBody, ServletOrigin origin) {
        return new RateLimitExceptionResolver(rejectionBody, origin);
    }

    /** Some interceptors nobody ever asks. */
    @Bean("io.github.ratelimit.rateLimitInterceptorCheck")
    SmartInitializingSingleton rateLimitInterceptorCheck(
            AnnotatedLimiters annotated,
            RegisteringConfigurer configurer,
            RequestPlaces places,
            Diagnostics diagnostics) {
        return () -> {
            if (!configurer.isAsked()) {
                places.mapped().get().stream()
                        .filter(method -> !annotated.namesFor(method.handler()).isEmpty())
                        .findFirst()
                        .ifPresent(method -> warnOfMissingInterceptor(method, diagnostics));
            }
        };
    }

    private static void warnOfMissingInterceptor(MappedMethod method, Diagnostics diagnostics) {
        diagnostics.warn(
                Diagnostic.UNREAD_ANNOTATION,
                "@RateLimit on %s has no effect, nor has any other: Spring MVC asks for no interceptors, most often because a configuration extends WebMvcConfigurationSupport; let it implement WebMvcConfigurer instead, or add the RateLimitInterceptor bean in its addInterceptors"
                        .formatted(method.name()));
    }

    @Bean("io.github.ratelimit.rateLimitWebMvcConfigurer")
    RegisteringConfigurer rateLimitWebMvcConfigurer(RateLimitInterceptor interceptor) {
        return new RegisteringConfigurer(interceptor);
    }

    @Bean("io.github.ratelimit.rateLimitContextsBelow")
    ContextsBelow rateLimitContextsBelow(AnnotatedLimiters annotated, HttpRateLimiter limiter) {
        return new ContextsBelow(annotated, limiter);
    }

    /** Checks the controllers of contexts below this one, such as that of a second dispatcher servlet, once they are there. */
    record ContextsBelow(AnnotatedLimiters annotated, HttpRateLimiter limiter)
            implements ApplicationListener<ContextRefreshedEvent> {

        @Override
        public void onApplicationEvent(ContextRefreshedEvent event) {
            ApplicationContext context = event.getApplicationContext();
            if (context.getBeanProvider(AnnotatedLimiters.class).getIfUnique() == annotated) { // it has none of its own
                context.getBeansOfType(RequestMappingInfoHandlerMapping.class, true, false)
                        .values()
                        .forEach(mapping -> mapping.getHandlerMethods()
                                .values()
                                .forEach(handler -> annotated.requireKnown(
                                        handler, limiter.limiters().names())));
            }
        }
    }

    /** Registers the interceptor, and knows whether it was asked to: who sets up Spring MVC by hand asks nobody. */
    static final class RegisteringConfigurer implements WebMvcConfigurer {

        private final RateLimitInterceptor interceptor;
        private volatile boolean asked;

        RegisteringConfigurer(RateLimitInterceptor interceptor) {
            this.interceptor = interceptor;
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            asked = true;
            registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE); // keys see what others have set
        }

        boolean isAsked() {
            return asked;
        }
    }
}

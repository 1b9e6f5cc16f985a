package io.github.ratelimit.spring.internal.web.servlet;

import io.github.ratelimit.spring.RateLimitInterceptor;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Registers the interceptor, and knows whether it was asked to: who sets up Spring MVC by hand asks nobody. */
public final class RegisteringConfigurer implements WebMvcConfigurer {

    private final RateLimitInterceptor interceptor;
    private volatile boolean asked;

    /** Makes it for the only interceptor. */
    public RegisteringConfigurer(RateLimitInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        asked = true;
        registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE); // keys see what others have set
    }

    /** Whether Spring MVC asked for interceptors. */
    public boolean isAsked() {
        return asked;
    }
}

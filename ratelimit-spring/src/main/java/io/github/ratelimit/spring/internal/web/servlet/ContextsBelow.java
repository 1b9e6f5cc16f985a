package io.github.ratelimit.spring.internal.web.servlet;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Handlers;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Checks the controllers of contexts below this one, such as that of a second dispatcher servlet, once they are there. */
public final class ContextsBelow implements ApplicationListener<ContextRefreshedEvent> {

    private final AnnotatedBeans annotated;
    private final HttpRateLimiter limiter;

    /** Makes it of the annotations of the context above. */
    public ContextsBelow(AnnotatedBeans annotated, HttpRateLimiter limiter) {
        this.annotated = annotated;
        this.limiter = limiter;
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

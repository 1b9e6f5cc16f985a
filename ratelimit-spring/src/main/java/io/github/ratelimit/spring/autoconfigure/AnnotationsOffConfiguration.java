package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;

/** While limits are switched off, no method has a limiter. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HandlerMethod.class)
class AnnotationsOffConfiguration {

    @Bean("io.github.ratelimit.annotatedLimiters")
    @ConditionalOnMissingBean
    AnnotatedLimiters annotatedLimiters() {
        return AnnotatedLimiters.none();
    }
}

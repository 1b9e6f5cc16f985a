package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.method.HandlerMethod;

/** Reads the annotations of controllers where there is anything that could call their methods. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HandlerMethod.class)
class AnnotationsConfiguration {

    @Bean("io.github.ratelimit.annotatedLimiters")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    AnnotatedLimiters annotatedLimiters(ConfigurableListableBeanFactory beans, Environment environment) {
        return AnnotatedLimiters.of(beans, environment::resolveRequiredPlaceholders);
    }
}

package io.github.ratelimit.content.demo;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.content.cms.site.FrontPage;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Reads the settings of the demonstration, and puts a switch before the store where that is wanted. */
@Configuration(proxyBeanMethods = false)
class DemoConfiguration {

    @Bean
    FrontPage frontPage(DemoProperties properties, Environment environment) {
        return new FrontPage(properties.isWanted(environment));
    }

    /** Redis needs none: it is a server that can be stopped. */
    @Bean
    @ConditionalOnProperty("content-api.demo-controls")
    static BeanPostProcessor storeSwitch() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof InProcessStore store ? new SwitchedStore(store) : bean;
            }
        };
    }
}

package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.RedisStoreBuilderCustomizer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

class RedisStoreBuilderCustomizerTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withPropertyValues(
                    "ratelimit.store=redis",
                    "ratelimit.redis.uri=redis://127.0.0.1:1",
                    "ratelimit.redis.start-timeout=0",
                    "ratelimit.redis.key-prefix=property:");

    @Configuration(proxyBeanMethods = false)
    static class Customizers {

        @Bean
        @Order(2)
        RedisStoreBuilderCustomizer last() {
            return builder -> builder.keyPrefix("last:");
        }

        @Bean
        @Order(1)
        RedisStoreBuilderCustomizer first() {
            return builder -> builder.keyPrefix("first:");
        }
    }

    private static String keyName(RedisStore store) {
        Limit limit = Limit.of("only", 1, Duration.ofHours(1));
        return store.keyNames(List.of(new Charge("api", limit, Key.of("ann")))).get(0);
    }

    @Test
    void customizersFollowThePropertiesInTheirOrder() {
        runner.run(context ->
                assertThat(keyName(context.getBean(RedisStore.class))).startsWith("property:"));
        runner.withUserConfiguration(Customizers.class)
                .run(context ->
                        assertThat(keyName(context.getBean(RedisStore.class))).startsWith("last:"));
    }
}

package io.github.ratelimit.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Lets a native image read what {@link ApplicationRedis} reads. */
class ApplicationRedisHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(LettuceConnectionFactory.class, type -> type.withField("configuration"));
    }
}

package io.github.ratelimit.spring.internal.remote;

import static io.github.ratelimit.spring.internal.properties.ConfiguredLimiters.valid;

import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Remote;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Passes on the properties that all stores behind a network share. */
public final class ConfiguredRemote {

    private ConfiguredRemote() {}

    /**
     * Passes them on.
     *
     * @param prefix of their names, for messages
     * @param all with the limiters whose permits are taken ahead
     */
    public static void apply(String prefix, Remote properties, RateLimitProperties all, RemoteStore.Builder<?> store) {
        valid(prefix + "timeout", () -> store.timeout(properties.timeout()));
        valid(prefix + "remember-rejections", () -> store.rememberRejections(properties.rememberRejections()));
        valid(prefix + "maximum-pending", () -> store.maximumPending(properties.maximumPending()));
        store.permitsAhead(all.limiters().entrySet().stream()
                .filter(limiter -> limiter.getValue().permitsAhead())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()));
        String secret = properties.secret();
        if (secret != null) {
            valid(prefix + "secret", () -> store.secret(Base64.getDecoder().decode(secret)));
        }
    }
}

package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.UnknownLimiterException;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Shows the limiters there are; and, where {@code management.endpoint.ratelimits.access} is {@code unrestricted}, forgets what was counted
 * for a call. Shows no key.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
class RateLimitsEndpoint {

    /** All limiters. */
    record Described(Map<String, DescribedLimiter> limiters) {}

    /** A limiter as it was described. */
    record DescribedLimiter(List<DescribedRule> rules, String onStoreFailure, boolean shadow, String phase) {}

    /** A limit that may apply, one for each plan; the window as Java writes it. */
    record DescribedRule(String name, long permits, String window, String algorithm) {}

    private final Limiters<HttpCall> limiters;

    RateLimitsEndpoint(HttpRateLimiter limiter) {
        this.limiters = limiter.limiters();
    }

    @ReadOperation
    public Described limiters() {
        Map<String, DescribedLimiter> all = new LinkedHashMap<>();
        limiters.names()
                .forEach(name -> all.put(name, described(limiters.get(name).spec())));
        return new Described(all);
    }

    /** One limiter; null, and so 404, if there is none of that name. */
    @ReadOperation
    public @Nullable DescribedLimiter limiter(@Selector String limiter) {
        return limiters.names().contains(limiter)
                ? described(limiters.get(limiter).spec())
                : null;
    }

    /**
     * Forgets what a limiter has counted for calls like the described one.
     *
     * @param address the client's
     * @param user who is signed in
     * @param header {@code name:value}, several times
     * @param attribute {@code name:value}, several times
     */
    @DeleteOperation
    public void reset(
            @Selector String limiter,
            // What makes a parameter optional: Spring's own annotation to Spring Boot 3, the other one to Spring Boot
            // 4.
            @org.springframework.lang.Nullable @Nullable String address,
            @org.springframework.lang.Nullable @Nullable String user,
            // A list, as soon as there are two. A parameter declared as one would be cut at its commas, and most user
            // agents have some.
            @org.springframework.lang.Nullable @Nullable Object header,
            @org.springframework.lang.Nullable @Nullable Object attribute) {
        Limiter<HttpCall> known;
        try {
            known = limiters.get(limiter);
        } catch (UnknownLimiterException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "no such limiter");
        }
        known.reset(new DescribedCall(
                        address == null ? "" : address,
                        user,
                        DescribedCall.parse(header),
                        DescribedCall.parse(attribute)))
                .toCompletableFuture()
                .join();
    }

    private static DescribedLimiter described(LimiterSpec<HttpCall> spec) {
        List<DescribedRule> rules = spec.rules().stream()
                .flatMap(rule -> rule.limit().known().stream())
                .map(RateLimitsEndpoint::described)
                .toList();
        return new DescribedLimiter(rules, lowerCase(spec.onStoreFailure()), spec.shadow(), lowerCase(spec.phase()));
    }

    private static DescribedRule described(Limit limit) {
        return new DescribedRule(
                limit.name(), limit.permits(), limit.window().toString(), lowerCase(limit.algorithm()));
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

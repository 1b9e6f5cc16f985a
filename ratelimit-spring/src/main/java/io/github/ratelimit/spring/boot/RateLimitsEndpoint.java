package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Shows the limiters there are, and where a client stands; and, where {@code management.endpoint.ratelimits.access} is {@code unrestricted},
 * forgets what was counted for it. Shows no key but as Redis knows it, by its digest.
 *
 * <p>A client is found by the plain parts of its key, {@code key=203.0.113.7&key=agent/1}, see {@link PlainKeys}; or by a call that is
 * described: {@code address=203.0.113.7&header=User-Agent:agent/1}.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
class RateLimitsEndpoint {

    /** All limiters. */
    record Described(Map<String, DescribedLimiter> limiters) {}

    /** A limiter as it was described. */
    record DescribedLimiter(List<DescribedRule> rules, String onStoreFailure, boolean shadow, String phase) {}

    /** A limit that may apply, one for each plan; the window as Java writes it. */
    record DescribedRule(String name, long permits, String window, String algorithm) {}

    /** Where a client stands with the rules of a limiter that apply to it. */
    record Standing(List<StandingRule> rules) {}

    /** Where a client stands with a rule; durations as Java writes them. What Redis calls the counter, where counts are there. */
    record StandingRule(
            String name,
            long permits,
            long remaining,
            String window,
            String resetAfter,
            @Nullable String redisKey) {}

    /** What is wrong with a request to this endpoint, or with the store. */
    record Problem(String message) {}

    private static final int BAD_REQUEST = 400;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final Limiters<HttpCall> limiters;
    private final PlainKeys keys;
    private final RedisKeyNames names;

    RateLimitsEndpoint(HttpRateLimiter limiter, PlainKeys keys, RedisKeyNames names) {
        this.limiters = limiter.limiters();
        this.keys = keys;
        this.names = names;
    }

    @ReadOperation
    public Described limiters() {
        Map<String, DescribedLimiter> all = new LinkedHashMap<>();
        limiters.names()
                .forEach(name -> all.put(name, described(limiters.get(name).spec())));
        return new Described(all);
    }

    /**
     * One limiter; or, where anything is said of a client, where that client stands, which takes nothing. Null, and so 404, if there is no
     * limiter of that name.
     *
     * @param key the plain parts of the client's key, several times
     * @param address the client's
     * @param user who is signed in
     * @param header {@code name:value}, several times
     * @param attribute {@code name:value}, several times
     */
    @ReadOperation
    public @Nullable Object limiter(
            @Selector String limiter,
            // What makes a parameter optional: Spring's own annotation to Spring Boot 3, the other one to Spring Boot
            // 4.
            // A list, as soon as there are two. A parameter declared as one would be cut at its commas, and most user
            // agents have some.
            @org.springframework.lang.Nullable @Nullable Object key,
            @org.springframework.lang.Nullable @Nullable String address,
            @org.springframework.lang.Nullable @Nullable String user,
            @org.springframework.lang.Nullable @Nullable Object header,
            @org.springframework.lang.Nullable @Nullable Object attribute) {
        if (!limiters.names().contains(limiter)) {
            return null;
        }
        LimiterSpec<HttpCall> spec = limiters.get(limiter).spec();
        if (key == null && address == null && user == null && header == null && attribute == null) {
            return described(spec);
        }
        return answered(() -> standing(charges(spec, key, call(address, user, header, attribute))));
    }

    /** Forgets what a limiter has counted for a client; described as for {@link #limiter}. */
    @DeleteOperation
    public @Nullable Object reset(
            @Selector String limiter,
            @org.springframework.lang.Nullable @Nullable Object key,
            @org.springframework.lang.Nullable @Nullable String address,
            @org.springframework.lang.Nullable @Nullable String user,
            @org.springframework.lang.Nullable @Nullable Object header,
            @org.springframework.lang.Nullable @Nullable Object attribute) {
        if (!limiters.names().contains(limiter)) {
            return problem(
                    BAD_REQUEST,
                    "no such limiter: '%s'; known: %s".formatted(limiter, String.join(", ", limiters.names())));
        }
        LimiterSpec<HttpCall> spec = limiters.get(limiter).spec();
        return answered(() -> {
            limiters.reset(charges(spec, key, call(address, user, header, attribute)))
                    .toCompletableFuture()
                    .join();
            return null;
        });
    }

    private static DescribedCall call(
            @Nullable String address, @Nullable String user, @Nullable Object header, @Nullable Object attribute) {
        return new DescribedCall(
                address == null ? "" : address, user, DescribedCall.parse(header), DescribedCall.parse(attribute));
    }

    private List<Charge> charges(LimiterSpec<HttpCall> spec, @Nullable Object key, HttpCall call) {
        if (key == null) {
            return PlainKeys.ofCall(spec, call);
        }
        Collection<?> parts = key instanceof Collection<?> several ? several : List.of(key);
        return keys.ofParts(spec, parts.stream().map(String::valueOf).toList(), call);
    }

    private Standing standing(List<Charge> charges) {
        if (charges.isEmpty()) {
            return new Standing(List.of());
        }
        List<LimitStatus> statuses = limiters.look(charges).statuses();
        List<String> redisKeys = names.of(charges);
        List<StandingRule> rules = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            LimitStatus status = statuses.get(i);
            rules.add(new StandingRule(
                    status.limit().name(),
                    status.limit().permits(),
                    status.remaining(),
                    status.limit().window().toString(),
                    status.resetAfter().toString(),
                    redisKeys.isEmpty() ? null : redisKeys.get(i)));
        }
        return new Standing(rules);
    }

    /** Something that may fail by what was asked, or by the store. */
    @FunctionalInterface
    private interface Answer {
        @Nullable
        Object get();
    }

    /** With the reason in the body: Spring Boot shows that of an exception to nobody unless it is told to. */
    private static @Nullable Object answered(Answer answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return problem(BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            return problem(SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException cause) {
                return problem(SERVICE_UNAVAILABLE, String.valueOf(cause.getMessage()));
            }
            throw e;
        }
    }

    private static WebEndpointResponse<Problem> problem(int status, String message) {
        return new WebEndpointResponse<>(new Problem(message), status);
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

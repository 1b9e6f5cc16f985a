package io.github.ratelimit.content.limits;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Limits an account beyond single requests: bytes of uploads, calls of the proxy. Safe for concurrent use. */
@Component
public final class AccountLimit {
    /** Limits the bytes that an account uploads. */
    public static final String UPLOADS = "uploads";

    /** Limits the calls that an account makes to other sites. */
    public static final String PROXY = "oembed-proxy";

    private final Map<String, Limiter<HttpCall>> limiters;
    private final HttpServletRequest current;

    /**
     * Creates the limit. Without its limiters any account could fill the disk, so the server does not start.
     *
     * @param limiters all of the server
     * @param current the request of the thread, which tells the limiter its attributes
     * @param isEnabled whether anything is limited
     */
    AccountLimit(
            HttpRateLimiter limiters,
            HttpServletRequest current,
            @Value("${ratelimit.enabled:true}") boolean isEnabled) {
        this.limiters = isEnabled
                ? Map.of(
                        UPLOADS,
                        limiters.limiters().get(UPLOADS),
                        PROXY,
                        limiters.limiters().get(PROXY))
                : Map.of();
        this.current = current;
    }

    /**
     * Takes permits of an account.
     *
     * @param limiter one of those that are named here
     * @param account its id
     * @param others attributes beside the account that rules of the limiter count by
     * @param cost 1 or more
     * @return the decision that rejects them; empty if they were taken
     */
    public Optional<Decision> rejection(String limiter, long account, Map<String, String> others, long cost) {
        current.setAttribute("account", account);
        others.forEach(current::setAttribute);
        return Optional.ofNullable(limiters.get(limiter))
                .map(known -> known.tryAcquire(ServletCall.of(current), cost))
                .filter(decision -> !decision.allowed());
    }
}

package io.github.ratelimit.content.limits;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.servlet.ServletCall;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits an account beyond single requests: bytes of uploads, calls of the proxy. Safe for concurrent use. */
public final class AccountLimit {

    private final @Nullable Limiter<HttpCall> limiter;
    private final HttpServletRequest current;

    /**
     * Creates the limit. Without its limiter any account could fill the disk, so the server does not start.
     *
     * @param limiter of accounts; null if nothing is limited
     * @param current the request of the thread, which tells the limiter its attributes
     */
    AccountLimit(@Nullable Limiter<HttpCall> limiter, HttpServletRequest current) {
        this.limiter = limiter;
        this.current = current;
    }

    /**
     * Takes permits of an account.
     *
     * @param account its id
     * @param others attributes beside the account that rules of the limiter count by
     * @param cost 1 or more
     * @return the decision that rejects them; empty if they were taken
     */
    public Optional<Decision> rejection(long account, Map<String, String> others, long cost) {
        current.setAttribute("account", account);
        others.forEach(current::setAttribute);
        return Optional.ofNullable(limiter)
                .map(known -> known.tryAcquire(ServletCall.of(current), cost))
                .filter(decision -> !decision.allowed());
    }
}

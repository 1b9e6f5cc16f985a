package io.github.ratelimit.content.limits;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits an account beyond single requests: bytes of uploads, calls of the proxy. Safe for concurrent use. */
public final class AccountLimit {

    private final @Nullable Limiter<HttpCall> limiter;

    /**
     * Creates the limit. Without its limiter any account could fill the disk, so the server does not start.
     *
     * @param name of the limiter
     * @param limiters know it
     * @param isEnabled whether anything is limited
     * @throws IllegalArgumentException if there is none of that name
     */
    AccountLimit(String name, HttpRateLimiter limiters, boolean isEnabled) {
        this.limiter = isEnabled ? limiters.limiters().get(name) : null;
    }

    /**
     * Takes permits of an account.
     *
     * @param account its id
     * @param others attributes beside the account that rules of the limiter count by
     * @param cost 1 or more
     * @return the decision that refuses them; empty if they were taken
     */
    public Optional<Decision> refusal(long account, Map<String, String> others, long cost) {
        return Optional.ofNullable(limiter)
                .map(known -> known.tryAcquire(AccountCall.of(account, others), cost))
                .filter(decision -> !decision.allowed());
    }
}

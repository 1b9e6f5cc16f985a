package io.github.ratelimit.content.limits;

import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Limits how often credentials may be wrong, by the limiter {@value #LIMITER}: a wrong attempt costs one permit, a right
 * one nothing. It counts by address, so whoever guesses locks out nobody elsewhere. Safe for concurrent use.
 */
@Component
public class GuessLimit {
    /** The limiter's name. */
    public static final String LIMITER = "auth-failures";

    private static final Logger log = LoggerFactory.getLogger(GuessLimit.class);

    private final @Nullable Limiter<HttpCall> limiter;
    private final ClientAddress addresses;
    private final ServletOrigin origin;

    /**
     * Makes it.
     *
     * @param enabled whether anything is limited
     */
    GuessLimit(
            HttpRateLimiter limiters,
            ClientAddress addresses,
            ServletOrigin origin,
            @Value("${ratelimit.enabled:true}") boolean enabled) {
        boolean known = enabled && limiters.limiters().names().contains(LIMITER);
        if (!known) {
            log.warn("no limiter '{}': passwords may be guessed without limit", LIMITER);
        }
        this.limiter = known ? limiters.limiters().get(LIMITER) : null;
        this.addresses = addresses;
        this.origin = origin;
    }

    /**
     * Rejects an address that was wrong too often. For credentials that are known to be right, which cost nothing.
     *
     * @param request what brings them
     * @throws Guess.TooManyException if the address has no permit left
     */
    public void rejectIfSpent(HttpServletRequest request) {
        if (limiter == null) {
            return;
        }
        limiter.tryAcquire(ServletCall.of(request, origin), 0).statuses().stream()
                .filter(status -> status.remaining() == 0)
                .map(LimitStatus::resetAfter)
                .max(Comparator.naturalOrder())
                .ifPresent(wait -> {
                    throw new Guess.TooManyException(wait);
                });
    }

    /**
     * Begins to try a password that guards something.
     *
     * @param request what brings it
     * @return costs a permit as long as it is not right
     */
    public Guess begin(HttpServletRequest request) {
        Limiter<HttpCall> known = limiter;
        return known == null
                ? Guess.free()
                : new Guess(
                        () -> known.tryAcquire(ServletCall.of(request, origin), 1),
                        decision -> known.refund(decision)
                                // Without the store there is nothing to give back to;
                                // the password is right all the same.
                                .exceptionally(failure -> null)
                                .toCompletableFuture()
                                .join());
    }

    /**
     * Tells where a request comes from, behind the proxies that are trusted.
     *
     * @param request any request
     * @return an address
     */
    public String address(HttpServletRequest request) {
        return addresses.address(ServletCall.of(request, origin)).orElse(request.getRemoteAddr());
    }

    /**
     * Spells a time to wait as the header field {@code Retry-After} does.
     *
     * @param wait how long
     * @return whole seconds, rounded up, at least one
     */
    public static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
    }
}

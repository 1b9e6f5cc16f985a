package io.github.ratelimit.content.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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

    /** Chosen: more applications than send requests within minutes. */
    private static final int MOST_RIGHT = 10_000;

    private static final Duration RIGHT_FOR = Duration.ofMinutes(5);

    /** Marks of credentials that were right. */
    private final Cache<String, Boolean> right = Caffeine.newBuilder()
            .maximumSize(MOST_RIGHT)
            .expireAfterWrite(RIGHT_FOR)
            .build();

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
     * Finds what credentials lead to.
     *
     * <p>Nothing can be guessed by what was right a moment ago, so that costs no permit: an application may send many requests at once, and a page
     * may ask for its parts. Everything else takes a permit first; of equal ones only one is tried at a time.
     *
     * @param <T> what they lead to
     * @param request what brings them
     * @param mark tells these credentials at this place from all others
     * @param search finds it where they are right
     * @return what was found; empty where they are wrong
     * @throws Guess.TooManyException if the address has no permit left, right or wrong
     */
    public <T> Optional<T> find(HttpServletRequest request, String mark, Supplier<Optional<T>> search) {
        List<T> found = new ArrayList<>(1);
        Boolean wasRight = right.get(mark, unseen -> {
            begin(request).find(search).ifPresent(found::add);
            return found.isEmpty() ? null : Boolean.TRUE;
        });
        if (wasRight == null || !found.isEmpty()) {
            return found.stream().findFirst();
        }
        rejectIfSpent(request);
        Optional<T> again = search.get();
        if (again.isEmpty()) {
            // Taken back since then.
            right.invalidate(mark);
        }
        return again;
    }

    private void rejectIfSpent(HttpServletRequest request) {
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

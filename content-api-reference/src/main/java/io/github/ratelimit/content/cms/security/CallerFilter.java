package io.github.ratelimit.content.cms.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.limits.GuessLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds out who is calling, from an application password in the {@code Authorization} header.
 *
 * <p>Wrong credentials make an anonymous caller, as clients of this interface expect, and count as a guess. Whoever
 * guessed too often is answered 429, right or wrong, until the limiter's window ends.
 *
 * <p>It comes before the limiter, which may count by the caller. Elsewhere than at the one address of the interface such credentials
 * mean nothing.
 *
 * <p>Rule: BEHAVIOUR section 11.
 */
@Component
@FilterRegistration(urlPatterns = "/index.php", order = Ordered.HIGHEST_PRECEDENCE + 20)
final class CallerFilter extends OncePerRequestFilter {
    /** Chosen: more applications than send requests within minutes. */
    private static final int MOST_RIGHT = 10_000;

    private static final Duration RIGHT_FOR = Duration.ofMinutes(5);

    private final ApplicationPasswords passwords;
    private final GuessLimit guesses;

    /** Marks of credentials that were right. */
    private final Cache<String, Boolean> right = Caffeine.newBuilder()
            .maximumSize(MOST_RIGHT)
            .expireAfterWrite(RIGHT_FOR)
            .build();

    CallerFilter(ApplicationPasswords passwords, GuessLimit guesses) {
        this.passwords = passwords;
        this.guesses = guesses;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<BasicCredentials> sent = BasicCredentials.of(request.getHeader("Authorization"));
        // While such passwords are switched off nothing is compared, so nothing is a guess either.
        if (sent.isEmpty() || !passwords.isEnabled()) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Account> account;
        try {
            account = account(request, sent.get());
        } catch (Guess.TooManyException tooMany) {
            response.setHeader("Retry-After", tooMany.retryAfter());
            response.sendError(429);
            return;
        }
        if (account.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        chain.doFilter(account.get().caller().signed(request), response);
    }

    /**
     * Finds whose credentials they are.
     *
     * <p>Nothing can be guessed by what was right a moment ago, so that costs no permit: otherwise an application that sends
     * many requests at once would be rejected. Everything else takes a permit first, so that many guesses at once are no more
     * than one after the other; of equal ones only one is tried at a time.
     */
    private Optional<Account> account(HttpServletRequest request, BasicCredentials sent) {
        Supplier<Optional<Account>> search =
                () -> passwords.authenticate(sent.name(), sent.secret(), guesses.address(request));
        String mark = passwords.mark(sent.name(), sent.secret());
        List<Account> found = new ArrayList<>(1);
        Boolean wasRight = right.get(mark, unseen -> {
            guesses.begin(request).find(search).ifPresent(found::add);
            return found.isEmpty() ? null : Boolean.TRUE;
        });
        if (wasRight == null || !found.isEmpty()) {
            return found.stream().findFirst();
        }
        guesses.rejectIfSpent(request);
        Optional<Account> account = search.get();
        if (account.isEmpty()) {
            // Taken back since then.
            right.invalidate(mark);
        }
        return account;
    }
}

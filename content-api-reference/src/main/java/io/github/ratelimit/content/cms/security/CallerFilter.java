package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.limits.GuessLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
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
    private final ApplicationPasswords passwords;
    private final GuessLimit guesses;

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
            account = guesses.find(
                    request,
                    passwords.mark("caller", sent.get()),
                    () -> passwords.authenticate(sent.get().name(), sent.get().secret(), guesses.address(request)));
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
}

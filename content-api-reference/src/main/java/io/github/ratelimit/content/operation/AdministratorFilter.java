package io.github.ratelimit.content.operation;

import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.security.BasicCredentials;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.limits.GuessLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets administrators pass, by name and password: the one that a person signs in with, which a browser asks for, or an application's, for what
 * collects metrics. A wrong one counts as a guess.
 */
final class AdministratorFilter extends OncePerRequestFilter {
    private static final String HEALTH = "/actuator/health";

    private final Accounts accounts;
    private final ApplicationPasswords passwords;
    private final GuessLimit guesses;

    AdministratorFilter(Accounts accounts, ApplicationPasswords passwords, GuessLimit guesses) {
        this.accounts = accounts;
        this.passwords = passwords;
        this.guesses = guesses;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return path.equals(HEALTH) || path.startsWith(HEALTH + "/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Account> account;
        try {
            account = BasicCredentials.of(request.getHeader(HttpHeaders.AUTHORIZATION))
                    .flatMap(sent -> guesses.find(
                            request, passwords.mark("administrator", sent), () -> authenticate(sent, request)));
        } catch (Guess.TooManyException tooMany) {
            response.setHeader(HttpHeaders.RETRY_AFTER, tooMany.retryAfter());
            response.sendError(429);
            return;
        } catch (Accounts.BusyException busy) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        if (account.isEmpty()) {
            ask(request, response);
        } else if (account.get().caller().may(Capability.MANAGE_SITE)) {
            chain.doFilter(account.get().caller().signed(request), response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    /**
     * Asks who it is, but not at the top of the site: a browser sends what was typed to all that is in the folder of the address
     * that asked, and from there on also to the content interface, where it would be one wrong password after the other.
     *
     * <p>Rule: RFC 7617 §2.2.
     */
    private static void ask(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean isAtTheTop = request.getServletPath().lastIndexOf('/') == 0;
        if (isAtTheTop) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Administration\", charset=\"UTF-8\"");
        response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
    }

    /** The content interface takes an application password and no sign-in password, so pages, which a browser opens, take only the latter. */
    private Optional<Account> authenticate(BasicCredentials sent, HttpServletRequest request) {
        boolean isForPrograms = request.getServletPath().startsWith("/actuator");
        Optional<Account> application = isForPrograms && passwords.isEnabled()
                ? passwords.authenticate(sent.name(), sent.secret(), guesses.address(request))
                : Optional.empty();
        return application.or(() -> accounts.signIn(sent.name(), sent.secret()));
    }
}

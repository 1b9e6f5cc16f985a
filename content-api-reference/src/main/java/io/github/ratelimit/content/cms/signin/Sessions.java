package io.github.ratelimit.content.cms.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.server.settings.ServerKey;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.stereotype.Component;

/**
 * Who is signed in to the authorisation page, by the id of a visit. A visit that is not signed in takes no memory.
 *
 * <p>Kept in this process only, by a hash of the id; whoever was signed in signs in again after a restart. Safe for
 * concurrent use.
 */
@Component
class Sessions {
    /** Chosen: long enough to read what an application asks for, short enough for a shared computer. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** Chosen: far more people than approve an application within a quarter of an hour. */
    private static final int MOST = 10_000;

    private final ServerKey key;
    private final Accounts accounts;
    private final CsrfTokenRepository visits;
    private final Cache<String, Session> sessions;

    Sessions(TimeSource clock, ServerKey key, Accounts accounts, CsrfTokenRepository visits) {
        this.key = key;
        this.accounts = accounts;
        this.visits = visits;
        this.sessions = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(LIFETIME)
                .ticker(clock::nanoTime)
                .executor(Runnable::run) // one too many goes at once
                .build();
    }

    /**
     * Somebody who is signed in.
     *
     * @param accountId as whom
     * @param passwordMark of the password that was typed; empty where the account is gone
     */
    private record Session(long accountId, Optional<String> passwordMark) {}

    /** Signs an account in, under a new id: one that was known before must not become worth more. */
    void signIn(long accountId, HttpServletRequest http, HttpServletResponse response) {
        CsrfToken visit = visits.generateToken(http);
        visits.saveToken(visit, http, response);
        sessions.put(stored(visit), new Session(accountId, accounts.passwordMark(accountId)));
    }

    /** Finds who is signed in; empty where nobody is. */
    Optional<Account> find(HttpServletRequest http) {
        return Optional.ofNullable(visits.loadToken(http))
                .map(visit -> sessions.getIfPresent(stored(visit)))
                // Who changed a password wants nobody to stay who came in by the old one.
                .filter(session -> session.passwordMark().equals(accounts.passwordMark(session.accountId())))
                .flatMap(session -> accounts.find(session.accountId()));
    }

    void signOut(HttpServletRequest http) {
        Optional.ofNullable(visits.loadToken(http)).map(this::stored).ifPresent(sessions::invalidate);
    }

    /** Lets the visitor's browser keep the cookie from now on as long as the form that is shown to him is worth something. */
    void renewVisit(HttpServletRequest http, HttpServletResponse response) {
        Optional.ofNullable(visits.loadToken(http)).ifPresent(visit -> visits.saveToken(visit, http, response));
    }

    private String stored(CsrfToken visit) {
        return key.sign("sign-in visit", visit.getToken());
    }
}

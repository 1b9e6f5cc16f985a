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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.stereotype.Component;

/**
 * Who is signed in to the authorisation page, as the id of a visit says: it is signed, so that every server of the site can read it.
 *
 * <p>Ids of visits that ended are kept in this process, by a hash, until they would have ended by themselves. Safe for concurrent use.
 */
@Component
class Sessions {
    /** Chosen: long enough to read what an application asks for, short enough for a shared computer. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** Chosen: far more people than approve an application within a quarter of an hour. */
    private static final int MOST = 10_000;

    /** What is random, the account, the end in milliseconds, and the signature. */
    private static final Pattern SIGNED =
            Pattern.compile("([^.]{1,100})\\.([0-9]{1,18})\\.([0-9]{1,18})\\.([0-9a-f]{64})");

    private final TimeSource clock;
    private final ServerKey key;
    private final Accounts accounts;
    private final CsrfTokenRepository visits;
    private final Cache<String, Boolean> ended;

    Sessions(TimeSource clock, ServerKey key, Accounts accounts, CsrfTokenRepository visits) {
        this.clock = clock;
        this.key = key;
        this.accounts = accounts;
        this.visits = visits;
        this.ended = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(LIFETIME)
                .ticker(clock::nanoTime)
                .executor(Runnable::run) // one too many goes at once
                .build();
    }

    /** Signs an account in, under a new id: one that was known before must not become worth more. */
    void signIn(long accountId, HttpServletRequest http, HttpServletResponse response) {
        CsrfToken visit = visits.generateToken(http);
        long end = clock.instant().plus(LIFETIME).toEpochMilli();
        String signed = visit.getToken() + "." + accountId + "." + end;
        visits.saveToken(
                new DefaultCsrfToken(
                        visit.getHeaderName(), visit.getParameterName(), signed + "." + signature(signed, accountId)),
                http,
                response);
    }

    /** Finds who is signed in; empty where nobody is. */
    Optional<Account> find(HttpServletRequest http) {
        return Optional.ofNullable(visits.loadToken(http))
                .filter(visit -> ended.getIfPresent(stored(visit)) == null)
                .map(visit -> SIGNED.matcher(visit.getToken()))
                .filter(Matcher::matches)
                .filter(visit -> clock.instant().toEpochMilli() < Long.parseLong(visit.group(3)))
                .filter(this::isSigned)
                .flatMap(visit -> accounts.find(Long.parseLong(visit.group(2))));
    }

    private boolean isSigned(Matcher visit) {
        String signed = visit.group().substring(0, visit.start(4) - 1);
        return ServerKey.areEqual(visit.group(4), signature(signed, Long.parseLong(visit.group(2))));
    }

    /** Who changed a password wants nobody to stay who came in by the old one. */
    private String signature(String signed, long accountId) {
        return key.sign(
                "sign-in session",
                signed + "\n" + accounts.passwordMark(accountId).orElse(""));
    }

    void signOut(HttpServletRequest http) {
        Optional.ofNullable(visits.loadToken(http)).map(this::stored).ifPresent(visit -> ended.put(visit, true));
    }

    /** Lets the visitor's browser keep the cookie from now on as long as the form that is shown to him is worth something. */
    void renewVisit(HttpServletRequest http, HttpServletResponse response) {
        Optional.ofNullable(visits.loadToken(http)).ifPresent(visit -> visits.saveToken(visit, http, response));
    }

    private String stored(CsrfToken visit) {
        return key.sign("sign-in visit", visit.getToken());
    }
}

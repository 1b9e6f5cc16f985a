package io.github.ratelimit.content.cms.signin;

import io.github.ratelimit.content.shared.settings.ServerKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Who is signed in to the authorisation page, by a random visit id that a cookie holds.
 *
 * <p>A visit that is not signed in takes no memory: the token of its forms is computed from its id. Kept in this process
 * only, by a hash of the id; whoever was signed in signs in again after a restart. Safe for concurrent use.
 */
@Component
class Sessions {
    /** Chosen: long enough to read what an application asks for, short enough for a shared computer. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** Chosen: far more people than approve an application within a quarter of an hour. */
    private static final int MOST = 10_000;

    private static final int BYTES = 32;

    private final InstantSource clock;
    private final ServerKey key;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    Sessions(InstantSource clock, ServerKey key) {
        this.clock = clock;
        this.key = key;
    }

    /**
     * Somebody who is signed in.
     *
     * @param accountId as whom
     * @param passwordMark of the password that was typed
     * @param end when it is over
     */
    record Session(long accountId, String passwordMark, Instant end) {}

    /** Makes the id of a visit that nobody can guess. */
    String newVisit() {
        byte[] id = new byte[BYTES];
        random.nextBytes(id);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }

    /** Signs an account in, under a new id: one that was known before must not become worth more. */
    String signIn(long accountId, String passwordMark) {
        String visit = newVisit();
        Instant now = clock.instant();
        synchronized (sessions) {
            sessions.values().removeIf(session -> !session.end().isAfter(now));
            if (sessions.size() >= MOST) {
                sessions.remove(sessions.keySet().iterator().next());
            }
            sessions.put(stored(visit), new Session(accountId, passwordMark, now.plus(LIFETIME)));
        }
        return visit;
    }

    /** Finds who is signed in; empty where nobody is. */
    Optional<Session> find(String visit) {
        synchronized (sessions) {
            return Optional.ofNullable(sessions.get(stored(visit)))
                    .filter(session -> session.end().isAfter(clock.instant()));
        }
    }

    void signOut(String visit) {
        synchronized (sessions) {
            sessions.remove(stored(visit));
        }
    }

    /** Makes the token that the forms of a visit carry, which no other site can know. */
    String formToken(String visit) {
        return key.sign("sign-in form", visit);
    }

    boolean isFormToken(String visit, String token) {
        return MessageDigest.isEqual(
                formToken(visit).getBytes(StandardCharsets.US_ASCII), token.getBytes(StandardCharsets.UTF_8));
    }

    private String stored(String visit) {
        return key.sign("sign-in visit", visit);
    }
}

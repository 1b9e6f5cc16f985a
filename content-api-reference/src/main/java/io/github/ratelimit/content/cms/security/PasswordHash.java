package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.http.TimedWait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * The hash of a password that a person chose: slow on purpose, for such passwords can be guessed. Asked where people sign
 * in, and once for the requests of an operator's page.
 *
 * <p>Only some are computed at a time, and only some wait for that: otherwise a crowd that signs in would keep every core and
 * every thread from everybody else. Safe for concurrent use.
 */
@Component
class PasswordHash {
    /** Chosen: about 0.1 s on one core, which a sign-in may take and a guess should. */
    private static final int STRENGTH = 11;

    /** What the algorithm reads of a password; more would be cut off unseen. */
    private static final int MAX_BYTES = 72;

    /** Chosen: longer than the default number of waiting ones takes, shorter than people wait. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final PasswordEncoder encoder;
    private final @Nullable String nobody;
    private final Semaphore running;
    private final Semaphore admitted;

    @Autowired
    PasswordHash(CmsSettings settings) {
        this(settings.passwordHashes(), new BCryptPasswordEncoder(STRENGTH));
    }

    PasswordHash(CmsSettings.PasswordHashes bounds, PasswordEncoder encoder) {
        this.encoder = encoder;
        nobody = encoder.encode("nobody has this password");
        running = new Semaphore(bounds.atOnce(), true);
        admitted = new Semaphore(bounds.atOnce() + bounds.waiting());
    }

    /** Runs what takes long when its turn comes. */
    private <T> T inTurn(Supplier<T> work) {
        if (!admitted.tryAcquire()) {
            throw new Accounts.BusyException();
        }
        try {
            if (!TimedWait.isInTime(LONGEST_WAIT, running::tryAcquire)) {
                throw new Accounts.BusyException();
            }
            try {
                return work.get();
            } finally {
                running.release();
            }
        } finally {
            admitted.release();
        }
    }

    static boolean fits(String password) {
        return !password.isEmpty() && password.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }

    String of(String password) {
        String hash = inTurn(() -> encoder.encode(password));
        if (hash == null) {
            throw new IllegalArgumentException("password must not be null");
        }
        return hash;
    }

    boolean matches(String password, String hash) {
        // The same work is done for a password that cannot be right.
        return fits(password) ? inTurn(() -> encoder.matches(password, hash)) : matchesNothing("-");
    }

    /** Works as long as {@link #matches} does, and finds nothing. */
    boolean matchesNothing(String password) {
        String compared = fits(password) ? password : "-";
        inTurn(() -> encoder.matches(compared, nobody));
        return false;
    }
}

package io.github.ratelimit.content.security;

import java.nio.charset.StandardCharsets;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * The hash of a password that a person chose: slow on purpose, for such passwords can be guessed. Asked where people sign
 * in, never on the path of a request.
 */
@Component
class PasswordHash {
    /** Chosen: about 0.1 s on one core, which a sign-in may take and a guess should. */
    private static final int STRENGTH = 11;

    /** What the algorithm reads of a password; more would be cut off unseen. */
    private static final int MAX_BYTES = 72;

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder(STRENGTH);
    private final String nobody = encoder.encode("nobody has this password");

    static boolean fits(String password) {
        return !password.isEmpty() && password.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }

    String of(String password) {
        String hash = encoder.encode(password);
        if (hash == null) {
            throw new IllegalArgumentException("password must not be null");
        }
        return hash;
    }

    boolean matches(String password, String hash) {
        // The same work is done for a password that cannot be right.
        return fits(password) ? encoder.matches(password, hash) : matchesNothing("-");
    }

    /** Works as long as {@link #matches} does, and finds nothing. */
    boolean matchesNothing(String password) {
        encoder.matches(fits(password) ? password : "-", nobody);
        return false;
    }
}

package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.storage.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The SHA-256 of a token. A plain fast hash is enough for a random token, which cannot be guessed however fast the
 * guessing; it would not be enough for a password.
 *
 * @param hexadecimal 64 characters
 */
record TokenHash(String hexadecimal) {

    private static final int FINGERPRINT_LENGTH = 16;

    static TokenHash of(String token) {
        return new TokenHash(Sha256.of(token));
    }

    /** Enough to find the row by an index, too little to be the token's whole hash. */
    String fingerprint() {
        return hexadecimal.substring(0, FINGERPRINT_LENGTH);
    }

    boolean matches(TokenHash other) {
        return MessageDigest.isEqual(
                hexadecimal.getBytes(StandardCharsets.US_ASCII), other.hexadecimal.getBytes(StandardCharsets.US_ASCII));
    }
}

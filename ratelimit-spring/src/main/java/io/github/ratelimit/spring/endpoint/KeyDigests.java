package io.github.ratelimit.spring.endpoint;

import io.github.ratelimit.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Names keys without telling what they say: the first half of a SHA-256 of a secret that is drawn at each start, and the key.
 *
 * <p>So one who reads the names can tell the same key again until the next start, and cannot try out which address it is. Safe for concurrent
 * use.
 */
public final class KeyDigests {

    private static final int SHOWN_BYTES = 16;

    private final byte[] secret = new byte[32];

    public KeyDigests() {
        new SecureRandom().nextBytes(secret);
    }

    public String of(Key key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            byte[] all = digest.digest(key.encoded().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, SHOWN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}

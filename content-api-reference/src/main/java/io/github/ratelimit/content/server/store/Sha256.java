package io.github.ratelimit.content.server.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest by which texts and bodies are told apart without being kept. */
public final class Sha256 {

    private Sha256() {}

    /**
     * Begins a digest of what comes piece by piece.
     *
     * @return belongs to one thread
     */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Takes the digest of a text.
     *
     * @param text in UTF-8
     * @return 64 hexadecimal digits
     */
    public static String of(String text) {
        return HexFormat.of().formatHex(begin().digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}

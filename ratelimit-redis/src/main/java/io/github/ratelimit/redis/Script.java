package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script of the class path and the digest that a server knows it by. Immutable.
 *
 * @param text what EVAL sends
 * @param sha1 what EVALSHA sends
 */
record Script(String text, String sha1) {

    static Script named(String resource) {
        try (InputStream in = requireNonNull(Script.class.getResourceAsStream(resource), resource)) {
            String text = new String(in.readAllBytes(), UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}

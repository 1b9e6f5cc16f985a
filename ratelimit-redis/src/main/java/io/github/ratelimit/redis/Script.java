package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The script that decides, and the digest that a server knows it by. Immutable.
 *
 * @param text what EVAL sends
 * @param sha1 what EVALSHA sends
 */
record Script(String text, String sha1) {

    /** For servers that know PEXPIRETIME, since Redis 7.0. */
    static final Script USUAL = of(read("counters.lua"));

    /** For servers that do not, or reject it. */
    static final Script WITHOUT_PEXPIRETIME = USUAL.withoutPexpiretime();

    /**
     * The second form, for servers before Redis 7.0 and for users who may not call PEXPIRETIME: decides the same, with PTTL and TIME.
     * {@link ServerErrors#lacksPexpiretime} says when it is needed.
     */
    Script withoutPexpiretime() {
        return of(read("expiry.lua") + text.replace("call('PEXPIRETIME', ", "expiry("));
    }

    private static Script of(String text) {
        return new Script(text, Base16.digest(text.getBytes(UTF_8)));
    }

    private static String read(String resource) {
        try (InputStream in = requireNonNull(Script.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

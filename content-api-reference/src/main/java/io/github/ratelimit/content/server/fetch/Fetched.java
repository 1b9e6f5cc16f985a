package io.github.ratelimit.content.server.fetch;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A document that was fetched.
 *
 * @param address where it came from, after redirects
 * @param text the body, read in the charset that was given with it, else as UTF-8; malformed bytes are replaced
 */
public record Fetched(String address, String text) {

    /** Reads a body in the charset of that name, or as UTF-8 where there is none. */
    static String text(byte[] body, String charset) {
        Charset found;
        try {
            found = charset.isEmpty() ? StandardCharsets.UTF_8 : Charset.forName(charset);
        } catch (IllegalArgumentException e) {
            found = StandardCharsets.UTF_8;
        }
        return new String(body, found);
    }
}

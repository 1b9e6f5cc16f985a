package io.github.ratelimit.content.cms.media;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads the name of a file from a {@code Content-Disposition} field, the way clients of this interface know it: the plain
 * parameter {@code filename} counts, and nothing is escaped in it; letters beyond ASCII are UTF-8, as most clients send them. Pure.
 */
final class Disposition {

    private static final int LONGEST = 4096;

    private Disposition() {}

    /**
     * Reads the name.
     *
     * @param field the field's value, a character for each byte
     * @return empty if it has none
     */
    static Optional<String> fileName(String field) {
        String[] parts = field.length() > LONGEST ? new String[0] : field.split(";", -1);
        String name = "";
        // The first part is the kind of disposition, whatever it says.
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals >= 0 && parts[i].substring(0, equals).strip().equals("filename")) {
                name = unquoted(parts[i].substring(equals + 1).strip());
            }
        }
        return Optional.of(decoded(name)).filter(found -> !found.isEmpty());
    }

    /** What is no UTF-8 stays as it is: then a byte was a letter of Western Europe. */
    private static String decoded(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return name;
        }
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }
}

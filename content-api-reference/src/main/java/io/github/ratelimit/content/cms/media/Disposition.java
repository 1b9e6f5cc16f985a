package io.github.ratelimit.content.cms.media;

import jakarta.servlet.http.Part;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the name of a file from a {@code Content-Disposition} field, the way clients of this interface know it: the plain
 * parameter {@code filename} counts, and nothing is escaped in it. Pure.
 */
final class Disposition {

    private static final int LONGEST = 4096;

    /** In a form quotation marks and backslashes may stand behind a backslash; older browsers leave folders as they are. */
    private static final Pattern PLAIN =
            Pattern.compile("(?i);\\s*filename\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^;\"]*))");

    private static final Pattern ESCAPED = Pattern.compile("\\\\([\"\\\\])");
    private static final Pattern FOLDERS = Pattern.compile("^.*[/\\\\]", Pattern.DOTALL);

    private Disposition() {}

    /** Reads the name of a form's file, without folders. The plain parameter comes before the extended one. */
    static String nameOfPart(Part part) {
        Matcher plain = PLAIN.matcher(Objects.requireNonNullElse(part.getHeader("Content-Disposition"), ""));
        String name = part.getSubmittedFileName();
        if (plain.find()) {
            String quoted = plain.group(1);
            name = quoted == null
                    ? plain.group(2).strip()
                    : ESCAPED.matcher(quoted).replaceAll("$1");
        }
        return FOLDERS.matcher(name).replaceFirst("");
    }

    /**
     * Reads the name.
     *
     * @param field the field's value
     * @return empty if it has none
     */
    static Optional<String> fileName(String field) {
        String[] parts = field.length() > LONGEST ? new String[0] : field.split(";", -1);
        String name = "";
        // The first part is the kind of disposition, whatever it says.
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals >= 0 && parts[i].substring(0, equals).strip().equals("filename")) {
                name = decoded(unquoted(parts[i].substring(equals + 1).strip()));
            }
        }
        return Optional.of(name).filter(found -> !found.isEmpty());
    }

    /** Clients send the bytes of their letters, which a server reads one by one. What is no UTF-8 stays: then a byte was a letter. */
    private static String decoded(String value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(StandardCharsets.ISO_8859_1.newEncoder().encode(CharBuffer.wrap(value)))
                    .toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.startsWith("\"") && value.endsWith("\"");
        return isQuoted ? value.substring(1, Math.max(1, value.length() - 1)) : value;
    }
}

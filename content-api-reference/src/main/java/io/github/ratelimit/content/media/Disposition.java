package io.github.ratelimit.content.media;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the name of a file from a {@code Content-Disposition} field. Rule: RFC 6266 §4. Pure. */
final class Disposition {

    // Possessive, and each alternative begins differently: a field is walked over once.
    private static final Pattern PARAMETER =
            Pattern.compile(";\\s*+([A-Za-z0-9*_-]++)\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^;\"]*+))");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final int LONGEST = 4096;

    private Disposition() {}

    /**
     * Reads the name.
     *
     * @param field the field's value
     * @return empty if it has none
     */
    static Optional<String> fileName(String field) {
        if (field.length() > LONGEST) {
            return Optional.empty();
        }
        Optional<String> plain = Optional.empty();
        Optional<String> extended = Optional.empty();
        Matcher parameter = PARAMETER.matcher(field);
        while (parameter.find()) {
            String quoted = parameter.group(2);
            String value = quoted == null
                    ? parameter.group(3).strip()
                    : ESCAPED.matcher(quoted).replaceAll("$1");
            if (parameter.group(1).equalsIgnoreCase("filename")) {
                plain = Optional.of(value);
            } else if (parameter.group(1).equalsIgnoreCase("filename*")) {
                extended = decoded(value);
            }
        }
        return extended.or(() -> Optional.empty()).isPresent() ? extended : plain.filter(name -> !name.isEmpty());
    }

    private static Optional<String> decoded(String value) {
        int first = value.indexOf('\'');
        int second = value.indexOf('\'', first + 1);
        if (first < 0 || second < 0 || !value.substring(0, first).equalsIgnoreCase("utf-8")) {
            return Optional.empty();
        }
        var bytes = new ByteArrayOutputStream();
        for (int i = second + 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '%') {
                bytes.write(c);
            } else if (i + 2 < value.length()
                    && Character.digit(value.charAt(i + 1), 16) >= 0
                    && Character.digit(value.charAt(i + 2), 16) >= 0) {
                bytes.write(Integer.parseInt(value.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes.toByteArray()))
                            .toString())
                    .filter(name -> !name.isEmpty());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}

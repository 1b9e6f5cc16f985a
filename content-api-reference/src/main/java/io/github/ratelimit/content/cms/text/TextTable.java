package io.github.ratelimit.content.cms.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.io.ClassPathResource;

/** Tables that are resources: one row a line, cells between colons that a space follows, comments behind {@code #}. */
public final class TextTable {
    private TextTable() {}

    /**
     * Reads a table.
     *
     * @param beside a class of the package that the file is in
     * @param file its name
     * @return the cells of each row, without the white space around them
     */
    public static List<List<String>> rows(Class<?> beside, String file) {
        try {
            return new ClassPathResource(file, beside)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Stream.of(line.split(":(?=\\s|$)", -1))
                            .map(String::strip)
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

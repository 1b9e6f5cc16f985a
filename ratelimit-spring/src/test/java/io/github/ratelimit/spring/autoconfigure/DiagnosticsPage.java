package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.internal.Diagnostic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The manual's page of what may be wrong, as somebody reads it who was told a number. */
final class DiagnosticsPage {

    /** Whose section a test of this thread has read. */
    private static final ThreadLocal<Set<Diagnostic>> READ =
            ThreadLocal.withInitial(() -> EnumSet.noneOf(Diagnostic.class));

    private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");
    private static final Pattern PROPERTIES = Pattern.compile("```properties\n(.*?)\n```", Pattern.DOTALL);

    private DiagnosticsPage() {}

    /** The numbers that the page has a section for, in order. */
    static List<String> sections() {
        return Pattern.compile("(?m)^## (RL-\\d+)$")
                .matcher(text())
                .results()
                .map(number -> number.group(1))
                .toList();
    }

    /** Whose sections were read since this was asked last. */
    static Set<Diagnostic> read() {
        Set<Diagnostic> read = READ.get();
        READ.remove();
        return read;
    }

    /** The section of a number. */
    static String section(Diagnostic of) {
        READ.get().add(of);
        Matcher section = Pattern.compile("\n## " + of.code() + "\n(.*?)(?=\n## |\\z)", Pattern.DOTALL)
                .matcher(text());
        assertThat(section.find()).as("%s has a section", of.code()).isTrue();
        return section.group(1);
    }

    /** The properties that its remedy sets. */
    static String[] remedy(Diagnostic of) {
        Matcher block = PROPERTIES.matcher(section(of));
        assertThat(block.find()).as("%s has properties", of.code()).isTrue();
        return block.group(1).split("\n");
    }

    private static String text() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

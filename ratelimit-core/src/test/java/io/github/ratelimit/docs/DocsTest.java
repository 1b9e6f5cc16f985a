package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the documents to the code: what they show stands in a test, and what they link to is there. */
class DocsTest {

    private static final Path ROOT = root();

    /** A comment that names a file and a region, and the block of code behind it. */
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- from (\\S+)#(\\S+) -->\\s*```\\w*\\n(.*?)```", Pattern.DOTALL);

    /** Where to: a file, a heading of it, or a heading of the same page. */
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:|mailto:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("docs")) ? here : here.resolve("..").normalize();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .toList();
        }
    }

    @Test
    void examplesStandInTestsThatRun() throws IOException {
        int found = 0;
        for (Path document : documents()) {
            Matcher example = EXAMPLE.matcher(Files.readString(document));
            while (example.find()) {
                assertThat(example.group(3).strip())
                        .as("%s, example %s", ROOT.relativize(document), example.group(2))
                        .isEqualTo(region(ROOT.resolve(example.group(1)), example.group(2)));
                found++;
            }
        }
        assertThat(found).as("examples found").isGreaterThan(3);
    }

    @Test
    void everyBlockOfJavaSaysWhereItIsFrom() throws IOException {
        for (Path document : documents()) {
            String text = Files.readString(document);
            long blocks =
                    text.lines().filter(line -> line.strip().equals("```java")).count();
            long named = EXAMPLE.matcher(text)
                    .results()
                    .filter(result -> result.group().contains("```java"))
                    .count();
            assertThat(named)
                    .as("named examples of %s", ROOT.relativize(document))
                    .isEqualTo(blocks);
        }
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                String heading = link.group(2);
                if (!Files.exists(target)
                        || (heading != null && !headings(target).contains(heading))) {
                    broken.add(ROOT.relativize(document) + " -> " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheFirstOne() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
        while (!next.isEmpty()) {
            Path page = next.remove();
            if (reached.add(page)) {
                LINK.matcher(Files.readString(page))
                        .results()
                        .map(link -> page.resolveSibling(link.group(1)).normalize())
                        .filter(path -> path.toString().endsWith(".md") && Files.exists(path))
                        .forEach(next::add);
            }
        }
        assertThat(reached).containsAll(documents());
    }

    /** The headings of a page, as GitHub names them in addresses. */
    private static List<String> headings(Path document) throws IOException {
        return HEADING.matcher(CODE.matcher(Files.readString(document)).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1") // a link's text
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The lines between the markers, without the indent that they share. */
    private static String region(Path file, String name) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> inside = new ArrayList<>();
        boolean in = false;
        for (String line : lines) {
            String marker = line.strip().replaceFirst("^(//|#)\\s*", "");
            if (marker.equals("region " + name)) {
                in = true;
            } else if (in && marker.equals("endregion")) {
                break;
            } else if (in) {
                inside.add(line);
            }
        }
        assertThat(inside).as("region %s of %s", name, file.getFileName()).isNotEmpty();
        int indent = inside.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        return inside.stream()
                .map(line -> line.isBlank() ? "" : line.substring(indent))
                .collect(Collectors.joining("\n"))
                .strip();
    }
}

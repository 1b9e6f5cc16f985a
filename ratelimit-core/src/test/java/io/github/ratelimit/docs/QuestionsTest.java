package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever searches the documents for the words of his question finds the page that answers it first. */
class QuestionsTest {

    private static final Path QUESTIONS = Path.of("src", "test", "resources", "docs", "questions.txt");
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern HEADING = Pattern.compile("^#+ .*$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("[a-z0-9]+");
    private static final Set<String> STOP =
            Set.of(("a an and are as at be by can do does for from has have how i if in is it its my no"
                            + " not of on or that the this to what when where which who why with you your")
                    .split(" "));

    /** A part of a page below a heading, and how often it has each word; the page's title and the heading count as words of it. */
    private record Section(String page, Map<String, Integer> words, int length) {}

    @Test
    void questionsAreAnsweredByThePageThatIsFoundFirst() throws IOException {
        List<Section> sections = sections();
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (String line : Files.readAllLines(QUESTIONS)) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(" \\| ");
                String found = first(sections, Set.copyOf(words(parts[0])));
                if (!found.equals(parts[1])) {
                    wrong.add("'%s' finds %s before %s".formatted(parts[0], found, parts[1]));
                }
                asked++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThanOrEqualTo(40);
    }

    /** By BM25 with its usual constants. */
    private static String first(List<Section> sections, Set<String> words) {
        double average = sections.stream().mapToInt(Section::length).average().orElseThrow();
        Map<String, Double> weights = new HashMap<>();
        for (String word : words) {
            long having = sections.stream()
                    .filter(section -> section.words().containsKey(word))
                    .count();
            weights.put(word, Math.log1p((sections.size() - having + 0.5) / (having + 0.5)));
        }
        return sections.stream()
                .max(Comparator.comparingDouble(section -> weights.entrySet().stream()
                        .mapToDouble(word -> {
                            int often = section.words().getOrDefault(word.getKey(), 0);
                            double length = 0.25 + 0.75 * section.length() / average;
                            return word.getValue() * often * 2.2 / (often + 1.2 * length);
                        })
                        .sum()))
                .orElseThrow()
                .page();
    }

    private static List<Section> sections() throws IOException {
        List<Section> sections = new ArrayList<>();
        try (Stream<Path> pages = Files.list(DOCS)) {
            for (Path page : pages.filter(each -> each.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(page);
                List<MatchResult> headings = HEADING.matcher(text).results().toList();
                List<String> title = words(headings.get(0).group());
                for (int i = 0; i < headings.size(); i++) {
                    MatchResult heading = headings.get(i);
                    int end = i + 1 < headings.size() ? headings.get(i + 1).start() : text.length();
                    List<String> head = words(heading.group());
                    List<String> all = Stream.of(title, head, head, head, words(text.substring(heading.end(), end)))
                            .flatMap(Collection::stream)
                            .toList();
                    Map<String, Integer> counts = new HashMap<>();
                    all.forEach(word -> counts.merge(word, 1, Integer::sum));
                    String name = page.getFileName().toString().replace(".md", "");
                    sections.add(new Section(name, counts, all.size()));
                }
            }
        }
        assertThat(new HashSet<>(sections)).hasSizeGreaterThan(80);
        return sections;
    }

    /** Without those that say nothing, and without their ends. */
    private static List<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .filter(word -> !STOP.contains(word))
                .map(word -> word.replaceFirst("(?<=...)(ing|ed|es|s)$", "").replaceFirst("e$", ""))
                .toList();
    }
}

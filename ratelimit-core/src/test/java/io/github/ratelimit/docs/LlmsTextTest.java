package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The two files for coding agents, in the form of llmstxt.org, are made of the pages for people: {@code -Dpictures=write} writes them
 * anew. The short one answers the commonest questions, the other one holds every page for users.
 */
class LlmsTextTest {

    private static final Path ROOT = Path.of("..");
    private static final Path TEMPLATE = Path.of("src", "test", "resources", "docs", "llms.md");
    private static final Path SHORT = ROOT.resolve("llms.txt");
    private static final Path WHOLE = ROOT.resolve("llms-full.txt");
    private static final String PAGES = "https://github.com/ratelimit/ratelimit/blob/main/";

    /** Chosen: what an agent reads at once. */
    private static final int MOST_WORDS = 3000;

    /** Packages whose types applications name, as a store or a server of one's own is rare. */
    private static final Set<String> OF_APPLICATIONS = Set.of(
            "io.github.ratelimit",
            "io.github.ratelimit.http",
            "io.github.ratelimit.http.client",
            "io.github.ratelimit.postgresql",
            "io.github.ratelimit.redis",
            "io.github.ratelimit.servlet",
            "io.github.ratelimit.spring",
            "io.github.ratelimit.spring.client",
            "io.github.ratelimit.spring.test",
            "io.github.ratelimit.test");

    private static final Pattern NOT_FOR_AGENTS =
            Pattern.compile("<!-- .*? -->\\n|^\\[?!\\[.*\\n|^The imports: .*\\n\\n?", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)]*)\\)");
    private static final Pattern PART = Pattern.compile(
            "\\{(quote|released|version|address|imports|(block|example|table|pages) ([^}\\s]+)(?: ([^}]+))?)}");
    private static final Pattern BLOCK = Pattern.compile("^```\\w+\\n.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern TABLE = Pattern.compile("(?:^\\|.*\\n)+", Pattern.MULTILINE);
    private static final Pattern PACKAGE =
            Pattern.compile("^\\| `(io\\.github\\.ratelimit[a-z.]*)` \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>ratelimit-parent</artifactId>\\s*<version>(.*?)</version>");

    @Test
    void shortFileAnswersTheCommonestQuestions() throws IOException {
        String text = PART.matcher(Files.readString(TEMPLATE))
                .replaceAll(part -> Matcher.quoteReplacement(part(part).strip()));
        sameOrWritten(SHORT, text);
        assertThat(text.split("\\s+")).hasSizeLessThanOrEqualTo(MOST_WORDS);
        assertThat(text).startsWith("# ").containsPattern("\\A# .*\\n\\n> .*\\n\\n");
    }

    @Test
    void wholeFileHoldsEveryPageForUsersAndTheImportOfEachPromisedType() throws IOException {
        String readme = page("README.md");
        String text = readme.substring(0, readme.indexOf("## See it work"))
                + paths("docs").stream().map(LlmsTextTest::below).collect(Collectors.joining("\n"))
                + "\n## Imports\n\n```java\n"
                + String.join("\n", imports(true))
                + "\n```\n";
        sameOrWritten(WHOLE, text);
        assertThat(imports(true))
                .hasSizeGreaterThan(80)
                .allSatisfy(type -> assertThat(Files.readString(WHOLE)).contains(type));
    }

    private static void sameOrWritten(Path file, String text) throws IOException {
        if ("write".equals(System.getProperty("pictures"))) {
            Files.writeString(file, text);
        }
        assertThat(file).as("run with -Dpictures=write").hasContent(text);
    }

    private static String part(MatchResult part) {
        String from = part.group(3);
        return switch (part.group(2) == null ? part.group(1) : part.group(2)) {
            case "quote" -> page("README.md").lines().skip(2).findFirst().orElseThrow();
            case "released" ->
                page("README.md")
                        .lines()
                        .filter(line -> line.startsWith("Nothing is released"))
                        .findFirst()
                        .orElse("");
            case "version" -> first(VERSION, read("pom.xml"), 1);
            case "address" -> PAGES;
            case "imports" -> String.join("\n", imports(false));
            case "block" ->
                BLOCK.matcher(page(from))
                        .results()
                        .skip(part.group(4) == null ? 0 : Integer.parseInt(part.group(4)) - 1)
                        .findFirst()
                        .orElseThrow()
                        .group();
            case "example" -> example(from);
            case "table" -> {
                String page = page(from);
                yield first(TABLE, page.substring(page.indexOf("\n## " + part.group(4) + "\n")), 0);
            }
            case "pages" -> paths(from).stream().map(LlmsTextTest::link).collect(Collectors.joining("\n"));
            default -> throw new IllegalArgumentException(part.group());
        };
    }

    /** The code behind the comment that says where it is from, on the first page that has it. */
    private static String example(String from) {
        Pattern marked = Pattern.compile("/" + Pattern.quote(from) + " -->\\n(" + BLOCK.pattern() + ")", BLOCK.flags());
        return Stream.concat(Stream.of("README.md"), paths("docs").stream())
                .map(page -> marked.matcher(read(page)))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** A page's title, its address, and its first sentence. */
    private static String link(String path) {
        List<String> lines = page(path).lines().toList();
        String sentence = String.join(" ", lines.subList(2, Math.min(5, lines.size())))
                .replaceFirst("(?s)(\\.) .*", "$1")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String what = lines.get(2).matches("[#|<\\d].*") ? "" : ": " + sentence;
        return "- [" + lines.get(0).substring(2) + "](" + PAGES + path + ")" + what;
    }

    private static List<String> imports(boolean all) {
        return PACKAGE.matcher(read("docs/compatibility.md"))
                .results()
                .filter(row -> all || OF_APPLICATIONS.contains(row.group(1)))
                .flatMap(row -> NAME.matcher(row.group(2))
                        .results()
                        .map(name -> "import " + row.group(1) + "." + name.group(1) + ";"))
                .toList();
    }

    private static String first(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .map(found -> found.group(group))
                .orElseThrow();
    }

    private static List<String> paths(String folder) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.map(file -> folder + "/" + file.getFileName())
                    .filter(path -> path.endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With headings below the title of the file. */
    private static String below(String path) {
        return page(path).replaceAll("(?m)^(#+ \\p{Lu}|#+ `)", "#$1");
    }

    /** A page without marks and pictures, and with addresses in its links. */
    private static String page(String path) {
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        String text = NOT_FOR_AGENTS.matcher(read(path)).replaceAll("");
        return LINK.matcher(text).replaceAll(link -> {
            String target = link.group(1).startsWith("#") ? path + link.group(1) : folder + link.group(1);
            return Matcher.quoteReplacement("](" + PAGES + Path.of(target).normalize() + ")");
        });
    }
}

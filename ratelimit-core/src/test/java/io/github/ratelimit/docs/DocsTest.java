package io.github.ratelimit.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the documents to the code: what they show stands in a test, and what they link to is there. */
class DocsTest {

    private static final Path ROOT = root();

    /** A comment that names a file and a region, and the block of code behind it. */
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- from (\\S+)#(\\S+) -->\\s*```\\w*\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern IMPORT =
            Pattern.compile("^(import (?:static )?[\\w.]+\\.(\\w+);?)$\\n*", Pattern.MULTILINE);

    /** In code: texts and comments. */
    private static final Pattern WORDS = Pattern.compile("\"[^\"]*\"|//.*");

    /** Where to: a file, a heading of it, or a heading of the same page. */
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:|mailto:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    /** The test that a block's marker names, its language, and what stands in it. */
    private static final Pattern BLOCK = Pattern.compile(
            "(?:<!-- run by (\\S+) -->\\s*)?^ *```(\\w*)\\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** The languages of what is typed and said. */
    private static final Set<String> SHELL = Set.of("", "sh", "console");

    /** A line that a shell is given, and those that belong to it. */
    private static final Pattern COMMAND = Pattern.compile(
            "^ *(?:\\$ )?((?:\\./mvnw|mvn|java|curl|for|cd|grep)\\b(?:[^\\n\\\\]|\\\\.|\\\\\\n)*)", Pattern.MULTILINE);

    /** Our coordinates, for Maven and for Gradle. */
    private static final Pattern ARTIFACT = Pattern.compile(
            "io\\.github\\.ratelimit(?:</groupId>\\s*<artifactId>|:)(ratelimit-[a-z-]+|content-api-reference)");

    /** The version beside such coordinates. */
    private static final Pattern VERSION = Pattern.compile(
            "(?:<artifactId>ratelimit-[a-z-]+</artifactId>\\s*<version>|io\\.github\\.ratelimit:ratelimit-[a-z-]+:)([\\w.-]+)");

    private static final Path NOT_RUN = Path.of("src", "test", "resources", "docs", "not-run.txt");

    private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("docs")) ? here : here.resolve("..").normalize();
    }

    private static List<Path> documents() throws IOException {
        Path server = ROOT.resolve("content-api-reference");
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> modules = Files.list(ROOT);
                Stream<Path> changes = Files.list(server);
                Stream<Path> examples = Files.list(ROOT.resolve("examples"));
                Stream<Path> ofTheServer = Files.list(server.resolve("docs"))) {
            Stream<Path> readmes =
                    modules.map(module -> module.resolve("README.md")).filter(Files::exists);
            return Stream.of(top, docs, readmes, changes, examples, ofTheServer)
                    .flatMap(each -> each)
                    .filter(path -> path.toString().endsWith(".md"))
                    .distinct()
                    .toList();
        }
    }

    @Test
    void examplesStandInTestsThatRun() throws IOException {
        int found = 0;
        for (Path document : documents()) {
            Matcher example = EXAMPLE.matcher(Files.readString(document));
            while (example.find()) {
                assertThat(withoutImports(example.group(3)))
                        .as("%s, example %s", ROOT.relativize(document), example.group(2))
                        .isEqualTo(withoutImports(region(ROOT.resolve(example.group(1)), example.group(2))));
                found++;
            }
        }
        assertThat(found).as("examples found").isGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"```java", "```kotlin"})
    void everyBlockOfCodeSaysWhereItIsFrom(String fence) throws IOException {
        for (Path document : documents()) {
            String text = Files.readString(document);
            long blocks =
                    text.lines().filter(line -> line.strip().equals(fence)).count();
            long named = EXAMPLE.matcher(text)
                    .results()
                    .filter(result -> result.group().contains(fence))
                    .count();
            assertThat(named)
                    .as("named examples of %s", ROOT.relativize(document))
                    .isEqualTo(blocks);
        }
    }

    private static String withoutImports(String code) {
        return IMPORT.matcher(code).replaceAll("").strip();
    }

    /** An example has all imports that it needs of its file, or none. */
    @Test
    void examplesHaveAllTheirImportsOrNone() throws IOException {
        for (Path document : documents()) {
            for (MatchResult example :
                    EXAMPLE.matcher(Files.readString(document)).results().toList()) {
                Set<String> shown = imports(example.group(3)).keySet();
                if (!shown.isEmpty()) {
                    String code =
                            WORDS.matcher(withoutImports(example.group(3))).replaceAll("");
                    Set<String> needed = new HashSet<>();
                    Path file = ROOT.resolve(example.group(1));
                    Map<String, String> known = new HashMap<>(ownTypes(file));
                    known.putAll(imports(Files.readString(file)));
                    known.forEach((line, name) -> {
                        if (Pattern.compile("\\b" + name + "\\b").matcher(code).find()) {
                            needed.add(line);
                        }
                    });
                    assertThat(shown)
                            .as("imports of %s in %s", example.group(2), ROOT.relativize(document))
                            .isEqualTo(needed);
                }
            }
        }
    }

    /** Types of ours in the file's own package, which it need not import. */
    private static Map<String, String> ownTypes(Path file) throws IOException {
        Path main = Path.of(requireNonNull(file.getParent()).toString().replace("/test/", "/main/"));
        if (!file.toString().contains("/test/") || !Files.exists(main)) {
            return Map.of();
        }
        String inPackage = main.toString().replaceFirst(".*/java/", "").replace('/', '.');
        try (Stream<Path> types = Files.list(main)) {
            return types.map(type -> type.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toMap(name -> "import " + inPackage + "." + name + ";", name -> name));
        }
    }

    /** Import lines, and the simple name that each brings. */
    private static Map<String, String> imports(String code) {
        return IMPORT.matcher(code)
                .results()
                .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2), (one, same) -> one));
    }

    /** A reader who copies an example can look up its imports. */
    @Test
    void everyExampleCarriesItsImportsOrLinksToThem() throws IOException {
        for (Path document : documents()) {
            String text = Files.readString(document);
            for (MatchResult example : EXAMPLE.matcher(text).results().toList()) {
                Path file = ROOT.resolve(example.group(1));
                Path folder = requireNonNull(document.getParent());
                String link = "](%s)".formatted(folder.relativize(file));
                if (file.toString().matches(".*\\.(java|kt)")
                        && !example.group(3).contains("import ")) {
                    assertThat(text).as(ROOT.relativize(document).toString()).contains(link);
                }
            }
        }
    }

    /** So that nobody types what nobody has tried. */
    @Test
    void everyCommandIsRunByATestOrSaysWhyNot() throws IOException {
        Map<String, String> notRun = new LinkedHashMap<>();
        for (String line : Files.readAllLines(NOT_RUN)) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(" \\| ", 2);
                assertThat(parts).as("a command and a reason: %s", line).hasSize(2);
                notRun.put(parts[0], parts[1]);
            }
        }
        Set<String> needed = new HashSet<>();
        for (Path document : documents()) {
            String text = Files.readString(document);
            for (MatchResult block : BLOCK.matcher(text).results().toList()) {
                String test = block.group(1);
                if (test != null) {
                    assertThat(testNamed(test))
                            .as("%s, run by %s", ROOT.relativize(document), test)
                            .isTrue();
                    continue;
                }
                String typed = SHELL.contains(block.group(2)) ? block.group(3) : "";
                for (MatchResult command : COMMAND.matcher(typed).results().toList()) {
                    Optional<String> reason = notRun.keySet().stream()
                            .filter(command.group(1)::startsWith)
                            .findFirst();
                    assertThat(reason)
                            .as(
                                    "%s: '%s' is run by a test that is named above it, or stands in %s",
                                    ROOT.relativize(document), command.group(1), NOT_RUN.getFileName())
                            .isPresent();
                    needed.add(reason.get());
                }
            }
        }
        assertThat(needed).as("what stands in %s and in no document", NOT_RUN).isEqualTo(notRun.keySet());
    }

    private static boolean testNamed(String name) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve(Path.of("src", "test", "java")))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    if (files.anyMatch(file -> file.endsWith(name + ".java"))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void everyArtifactOfOursThatIsNamedIsAModule() throws IOException {
        String modules = Files.readString(ROOT.resolve("pom.xml"));
        int found = 0;
        for (Path document : documents()) {
            Matcher artifact = ARTIFACT.matcher(Files.readString(document));
            while (artifact.find()) {
                assertThat(modules)
                        .as("%s names %s", ROOT.relativize(document), artifact.group(1))
                        .contains("<module>" + artifact.group(1) + "</module>");
                found++;
            }
        }
        assertThat(found).isGreaterThan(5);
    }

    /** What a page says to copy can be resolved: nothing else than this version was ever built here. */
    @Test
    void everyVersionOfOursIsTheBuildsOwn() throws IOException {
        Matcher own = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(own.find()).isTrue();
        int found = 0;
        for (Path document : documents()) {
            Matcher version = VERSION.matcher(Files.readString(document));
            while (version.find()) {
                assertThat(version.group(1))
                        .as(ROOT.relativize(document).toString())
                        .isEqualTo(own.group(1));
                found++;
            }
        }
        assertThat(found).isGreaterThan(2);
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

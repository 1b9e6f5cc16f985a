package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of versions says what the build and {@code .ci/servers} run, and no other page has a list of its own. */
class VersionsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW =
            Pattern.compile("^\\| (\\p{Lu}[^|]+) \\| ([^|]*\\d[^|]*) \\|$", Pattern.MULTILINE);
    private static final Pattern BOLD = Pattern.compile("\\*\\*(.*?)\\*\\*");
    private static final Pattern VERSION = Pattern.compile("\\d+(?:\\.\\d+)*");
    private static final Pattern LOWEST =
            Pattern.compile("(Redis|Valkey|PostgreSQL|Java|Spring Boot) (\\d+(?:\\.\\d+)*) (?:or|and) newer");
    private static final Pattern LIST = Pattern.compile(
            "(?i)\\btest(?:ed|s)?\\b[^|\\n]*\\b(?:Redis|Valkey|PostgreSQL|PgBouncer|Gateway|Lettuce|Java) \\d"
                    + "|\\b(?:Redis|Valkey|PostgreSQL|Java) \\d[\\d.]* (?:to|and) \\d");

    /** The versions of each part, with their stars. */
    private static Map<String, String> table() throws IOException {
        String page = read("docs/compatibility.md");
        String section = page.substring(page.indexOf("\n## Versions"), page.indexOf("\n## Libraries"));
        Map<String, String> table = new TreeMap<>();
        ROW.matcher(section).results().forEach(row -> table.put(row.group(1), row.group(2)));
        return table;
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static List<String> versions(String text) {
        return VERSION.matcher(text).results().map(MatchResult::group).toList();
    }

    @Test
    void buildHasEachVersionInBoldAndTheScriptEachOther() throws IOException {
        // A server says another version than its artifact.
        StringBuilder build =
                new StringBuilder(read("ratelimit-redis/src/test/java/io/github/ratelimit/redis/RedisProcess.java"));
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path pom : Stream.concat(Stream.of(ROOT), modules)
                    .map(module -> module.resolve("pom.xml"))
                    .filter(Files::exists)
                    .toList()) {
                build.append(Files.readString(pom));
            }
        }
        // The oldest gateway is a property of the build, whose tests need -Pfull or the script.
        String others = read(".ci/servers")
                + read("pom.xml")
                        .lines()
                        .filter(line -> line.contains("gateway-4.version>"))
                        .toList();
        assertThat(table()).hasSizeGreaterThan(10);
        for (Map.Entry<String, String> row : table().entrySet()) {
            BOLD.matcher(row.getValue())
                    .results()
                    .forEach(bold -> versions(bold.group(1))
                            .forEach(version -> assertThat(build)
                                    .as("%s %s", row.getKey(), version)
                                    .containsPattern("(?<![\\d.])" + Pattern.quote(version) + "(?!\\.?\\d)")));
            versions(BOLD.matcher(row.getValue()).replaceAll(""))
                    .forEach(version -> assertThat(others)
                            .as("%s %s", row.getKey(), version)
                            .containsPattern("(?<![\\d.])" + Pattern.quote(version) + "(?!\\.?\\d)"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CHANGELOG.md",
                "llms.txt",
                "docs/redis.md",
                "docs/postgresql.md",
                "docs/spring.md",
                "docs/quick-start.md",
                "docs/design/architecture.md"
            })
    void pageNamesTheLowestVersionAloneAndPointsToTheTable(String file) throws IOException {
        String page = read(file);
        assertThat(LIST.matcher(page).results().map(MatchResult::group)).isEmpty();
        Map<String, String> table = table();
        LOWEST.matcher(page).results().forEach(lowest -> {
            String versions = table.entrySet().stream()
                    .filter(row -> row.getKey().startsWith(lowest.group(1)))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseThrow();
            assertThat(versions(versions).get(0) + ".").as(lowest.group()).startsWith(lowest.group(2) + ".");
        });
    }

    /** More than the table has, and so it says. */
    @Test
    void workflowHasNoVersionThatThePageLeavesOut() throws IOException {
        String page = read("docs/compatibility.md");
        String told = page.substring(page.indexOf("\n## Versions"), page.indexOf("\n## Libraries"));
        Pattern.compile("(?:java|image): \\[(.*)]")
                .matcher(read(".github/workflows/build.yml"))
                .results()
                .flatMap(matrix -> versions(matrix.group(1)).stream())
                .forEach(version -> assertThat(versions(told)).contains(version));
    }
}

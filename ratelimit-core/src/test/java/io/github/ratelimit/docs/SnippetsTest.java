package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the examples of the types that are met first to tests that run. */
class SnippetsTest {

    private static final Path HERE = Path.of("").toAbsolutePath();
    private static final Path CORE =
            Files.exists(HERE.resolve("ratelimit-core")) ? HERE.resolve("ratelimit-core") : HERE;

    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

    /** The example of {@code LimiterSpec} is the region {@code limiter-spec}. */
    private static String region(String type) throws IOException {
        String name = type.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        String tests = Files.readString(CORE.resolve("src/test/java/io/github/ratelimit/docs/CoreExamplesTest.java"));
        int start = tests.indexOf("// region " + name + "\n");
        assertThat(start).as("region %s", name).isPositive();
        return tests.substring(tests.indexOf('\n', start) + 1, tests.indexOf("// endregion", start))
                .stripTrailing()
                .stripIndent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Limiter",
                "Limiters",
                "LimiterSpec",
                "Limit",
                "Key",
                "KeyResolver",
                "Rule",
                "Decision",
                "InProcessStore",
                "Store"
            })
    void exampleOfATypeIsCodeThatRuns(String type) throws IOException {
        String source = Files.readString(CORE.resolve("src/main/java/io/github/ratelimit/" + type + ".java"));
        Matcher example = EXAMPLE.matcher(source);
        assertThat(example.find())
                .as("an example in the documentation of %s", type)
                .isTrue();
        String shown = example.group(1)
                .lines()
                .map(line -> line.length() > 3 ? line.substring(3) : "")
                .collect(Collectors.joining("\n"));
        assertThat(shown).isEqualTo(region(type));
    }
}

package io.github.ratelimit.content.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of a page, typed into a shell as they stand there, and what the page says that they answer. What differs from run to run (moments,
 * numbers, tokens) may differ; {@code …} stands for anything. Of header fields a page may leave some out.
 */
final class Transcript {

    private static final Pattern BLOCK =
            Pattern.compile("<!-- run by DemoSiteTest -->\n```\\w*\n(.*?)\n```", Pattern.DOTALL);

    /** What begins with a dollar, until its quotes are closed and no backslash asks for more; and what is said up to the next one. */
    private static final Pattern COMMAND = Pattern.compile(
            "^\\$ ((?:[^\n'\"\\\\]|\\\\.|'[^']*'|\"[^\"]*\")*)\n?(.*?)(?=^\\$ |\\z)",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

    /** In what a page shows. */
    private static final Pattern VARIES = Pattern.compile("…"
            + "|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
            + "|\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z"
            + "|(?<=^(?:X-RateLimit-Reset|Retry-After|Content-Length|Date): ).*"
            + "|(?<=try again in )\\d+");

    private final Path folder;
    private final Map<String, String> settings;
    private String token = "";

    /**
     * Makes a shell.
     *
     * @param folder where its commands are run
     * @param settings what stands in pages, and what stands for it here
     */
    Transcript(Path folder, Map<String, String> settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** Whether there is what the commands need. */
    static boolean isPossible() {
        return Files.isExecutable(Path.of("/usr/bin/curl")) && Files.isExecutable(Path.of("/bin/bash"));
    }

    /** Types the commands of a page, in order. */
    void follow(Path page) throws IOException, InterruptedException {
        List<MatchResult> blocks =
                BLOCK.matcher(Files.readString(page)).results().toList();
        assertThat(blocks).as("marked blocks of %s", page).isNotEmpty();
        for (MatchResult block : blocks) {
            Matcher command = COMMAND.matcher(block.group(1));
            assertThat(command.lookingAt()).as(block.group(1)).isTrue();
            command.reset();
            while (command.find()) {
                if (!command.group(1).startsWith("TOKEN=")) {
                    assertSays(page, command.group(1), command.group(2).strip());
                }
            }
        }
    }

    private void assertSays(Path page, String command, String shown) throws IOException, InterruptedException {
        String said = run(command);
        List<String> lines = said.lines().map(String::strip).toList();
        int at = 0;
        for (String line : shown.lines().map(String::strip).toList()) {
            Pattern expected = pattern(line);
            while (at < lines.size() && !expected.matcher(lines.get(at)).matches()) {
                at++;
            }
            assertThat(at)
                    .as("%s: '%s' is to say '%s', and said%n%s", page.getFileName(), command, line, said)
                    .isLessThan(lines.size());
            at++;
        }
        assertThat(at)
                .as("%s: what '%s' says behind that%n%s", page.getFileName(), command, said)
                .isEqualTo(shown.isEmpty() ? at : lines.size());
        Matcher given = TOKEN.matcher(said);
        token = given.find() ? given.group(1) : token;
    }

    private static Pattern pattern(String line) {
        StringBuilder pattern = new StringBuilder();
        int at = 0;
        Matcher varies = VARIES.matcher(line);
        while (varies.find()) {
            pattern.append(Pattern.quote(line.substring(at, varies.start()))).append(".*");
            at = varies.end();
        }
        return Pattern.compile(pattern.append(Pattern.quote(line.substring(at))).toString());
    }

    private String run(String command) throws IOException, InterruptedException {
        String typed = command;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            typed = typed.replace(setting.getKey(), setting.getValue());
        }
        Path out = folder.resolve("said");
        ProcessBuilder shell = new ProcessBuilder("/bin/bash", "-c", typed)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(out.toFile());
        shell.environment().put("TOKEN", token);
        shell.environment()
                .put("CURL_HOME", folder.toString()); // whoever runs this may have a configuration of his own
        Process process = shell.start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(command).isTrue();
            assertThat(process.exitValue()).as(command).isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}

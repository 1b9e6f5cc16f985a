package io.github.ratelimit.release;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of the page about releases leave behind. */
class ReleaseTest {

    private static final Path ROOT = Path.of("..");
    private static final Set<String> LEFT_OUT = Set.of(".git", "target", "data");
    private static final Pattern COMMAND = Pattern.compile("^ *(\\.ci/set .*)$", Pattern.MULTILINE);
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>ratelimit-parent</artifactId>\\s*<version>(.*?)</version>");
    private static final Pattern REPOSITORY = Pattern.compile("<repository.url>https://(.*?)</repository.url>");

    private static final Pattern CONTACT = Pattern.compile("<email>(.*?)</email>");

    @TempDir
    private Path copy;

    private static String first(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .map(found -> found.group(1))
                .orElseThrow();
    }

    private void copyTheProject() throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) throws IOException {
                if (LEFT_OUT.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(ROOT.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
                if (is.isRegularFile() && !file.endsWith(".git")) {
                    Files.copy(file, copy.resolve(ROOT.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> files = Files.walk(copy)) {
            List<Path> found = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // Each byte is a character, so that pictures can be read, too.
                if (Files.readString(file, ISO_8859_1).contains(text)) {
                    found.add(copy.relativize(file));
                }
            }
            return found;
        }
    }

    @Test
    void commandsOfThePageLeaveNoOldVersionAndNoOldAddress() throws Exception {
        String build = Files.readString(ROOT.resolve("pom.xml"));
        String version = first(VERSION, build);
        assumeThat(version).as("others have the number of a release, too").endsWith("-SNAPSHOT");
        copyTheProject();
        String repository = first(REPOSITORY, build);
        assertThat(filesWith(repository)).as("shows that the copy is one").hasSizeGreaterThan(5);
        List<String> commands = COMMAND.matcher(Files.readString(ROOT.resolve("docs/releasing.md")))
                .results()
                .map(MatchResult::group)
                .toList();
        String contact = first(CONTACT, build);
        assertThat(filesWith(contact)).as("those that show where to write to").contains(Path.of("SECURITY.md"));
        assertThat(commands).hasSize(3);
        for (String command : commands) {
            Process process = new ProcessBuilder("bash", "-c", command)
                    .directory(copy.toFile())
                    .inheritIO()
                    .start();
            assertThat(process.waitFor()).as(command).isZero();
        }
        assertThat(filesWith(version)).as(version).isEmpty();
        assertThat(filesWith(repository)).as(repository).isEmpty();
        assertThat(filesWith(contact)).as(contact).isEmpty();
        assertThat(filesWith("Nothing is released"))
                .allSatisfy(file ->
                        assertThat(file.toString()).doesNotEndWith(".md").doesNotEndWith(".txt"));
        assertThat(Files.readString(copy.resolve("README.md"))).contains("<version>1.0.0</version>");
    }
}

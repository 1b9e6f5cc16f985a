package io.github.ratelimit.spring.test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What somebody does who copies docs/quick-start.md into an empty folder: the page's own text, against the jars and POMs that the build
 * has made, as they are published, with the Maven that runs the build.
 */
@Execution(ExecutionMode.CONCURRENT)
class FromAnEmptyFolderIT {

    private static final Path ROOT = Path.of("..");
    private static final String BUILT = setting("built.version");

    /** That nobody else has in a local repository. */
    private static final String INSTALLED = BUILT + "-from-this-build";

    /** For processes that end before the second compiler is worth its time. */
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    private static Path folder;

    private static String page = "";

    /**
     * A row of the page's table.
     *
     * @param boot version of the parent
     * @param starter the web that it serves with
     */
    record Line(String boot, String starter) {

        @Override
        public String toString() {
            return starter + " " + boot;
        }
    }

    private static String setting(String name) {
        return requireNonNull(System.getProperty(name), name); // of the build, see pom.xml
    }

    @BeforeAll
    static void install() throws IOException {
        String all = Files.readString(ROOT.resolve("docs").resolve("quick-start.md"));
        int start = all.indexOf("\n## A Spring Boot application\n");
        page = all.substring(start, all.indexOf("\n## ", start + 1));

        installPom("ratelimit-parent", ROOT.resolve("pom.xml"));
        installPom("ratelimit-bom", built("ratelimit-bom").resolve("flattened-pom.xml"));
        for (String module :
                List.of("ratelimit-core", "ratelimit-servlet", "ratelimit-spring", "ratelimit-spring-boot-starter")) {
            installPom(module, ROOT.resolve(module).resolve("pom.xml"));
            Files.copy(
                    built(module).resolve(module + "-" + BUILT + ".jar"),
                    place(module).resolve(module + "-" + INSTALLED + ".jar"));
        }
    }

    private static Path built(String module) {
        return ROOT.resolve(module).resolve(setting("built.folder"));
    }

    private static void installPom(String module, Path pom) throws IOException {
        Files.createDirectories(place(module));
        Files.writeString(
                place(module).resolve(module + "-" + INSTALLED + ".pom"),
                Files.readString(pom).replace(BUILT, INSTALLED));
    }

    private static Path place(String module) {
        return folder.resolve(Path.of("installed", "io", "github", "ratelimit", module, INSTALLED));
    }

    static List<Line> lines() throws IOException {
        String rows = Files.readString(ROOT.resolve("docs").resolve("quick-start.md"));
        List<Line> lines = Pattern.compile("\\| [\\w ]+ \\| `([\\d.]+)` \\| `(spring-boot-starter-\\w+)` \\|")
                .matcher(rows)
                .results()
                .map(row -> new Line(row.group(1), row.group(2)))
                .toList();
        assertThat(lines).as("rows of the page's table").hasSize(4);
        return Boolean.getBoolean("full") ? lines : lines.subList(0, 1);
    }

    @ParameterizedTest
    @MethodSource("lines")
    void pageLeadsFromAnEmptyFolderToTheFirstRejection(Line line) throws Exception {
        Path project = Files.createDirectory(folder.resolve(line.toString()));
        write(project.resolve("pom.xml"), pom(line));
        write(project.resolve(named("application.yml")), block("yaml", 0));
        write(project.resolve(named("FirstApplication.java")), block("java", 0));

        List<String> commands = block("sh", 0).lines().toList();
        run(project, maven(commands.get(0)));
        try (Started application = Started.of(project, java(commands.get(1)))) {
            rejectsAsThePageSays(application.base());
            assertThat(application.said())
                    .extracting(said -> said.replaceFirst("^.*StartReport +: ", ""))
                    .containsSequence(whatIsLimited());
        }
    }

    // ---- what the page says

    /** A block of the section by its language, without the fences. */
    private static String block(String language, int at) {
        return Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$")
                .matcher(page)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList()
                .get(at);
    }

    /** A path that the page names, by its end. */
    private static String named(String file) {
        return first("`(src/\\S+/" + Pattern.quote(file) + ")`").group(1);
    }

    private static MatchResult first(String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(page);
        assertThat(found.find()).as("the page has %s", pattern).isTrue();
        return found.toMatchResult();
    }

    private static String pom(Line line) {
        Line first = new Line("4.1.1", "spring-boot-starter-webmvc");
        String pom = block("xml", 0);
        assertThat(pom).contains(first.boot(), first.starter(), BUILT);
        return pom.replace(first.boot(), line.boot())
                .replace(first.starter(), line.starter())
                .replace(BUILT, INSTALLED);
    }

    /** The lines that it logs below the first one. */
    private static List<String> whatIsLimited() {
        return block("", 0).lines().skip(1).toList();
    }

    private static void rejectsAsThePageSays(URI base) throws IOException {
        MatchResult search = first("for i in ([\\d ]+); do curl -i 'localhost:8080(\\S+)'; done");
        int times = search.group(1).split(" ").length;
        for (int i = 1; i < times; i++) {
            assertThat(RawHttp.get(base, search.group(2)).status()).isEqualTo(200);
        }
        Answer rejected = RawHttp.get(base, search.group(2));

        List<String> told = block("", 1).lines().toList();
        assertThat("HTTP/1.1 " + rejected.status()).isEqualTo(told.get(0));
        assertThat(rejected.values("X-RateLimit-Limit")).containsExactly("5");
        assertThat(rejected.values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(rejected.lines().stream().map(FromAnEmptyFolderIT::withoutNumbers))
                .containsAll(told.subList(1, told.indexOf("")).stream()
                        .map(FromAnEmptyFolderIT::withoutNumbers)
                        .toList());
        assertThat(withoutNumbers(rejected.body())).contains(withoutNumbers(told.get(told.size() - 1)));
    }

    /** Which depend on the moment. */
    private static String withoutNumbers(String text) {
        return text.replaceAll("\\d+", "N");
    }

    // ---- commands

    private static List<String> maven(String command) {
        assertThat(command).startsWith("mvn ");
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        List<String> arguments = new ArrayList<>();
        arguments.add(Path.of(setting("maven.of.the.build"), "bin", windows ? "mvn.cmd" : "mvn")
                .toString());
        arguments.addAll(List.of("-B", "-q", "-ntp"));
        if (setting("maven.offline").equals("offline true")) {
            arguments.add("-o");
        }
        // What it downloads stays, as after any build; what is installed is looked up behind it.
        arguments.add("-Dmaven.repo.local=" + setting("maven.local.repository"));
        arguments.add("-Dmaven.repo.local.tail=" + folder.resolve("installed"));
        // Two at once may download the same.
        arguments.add("-Daether.syncContext.named.factory=file-lock");
        arguments.add("-Daether.syncContext.named.nameMapper=file-gav");
        arguments.add("-Daether.syncContext.named.basedir.locksDir=" + folder.resolve("locks"));
        settings("-s", "maven.user.settings", arguments);
        settings("-gs", "maven.global.settings", arguments);
        arguments.addAll(List.of(command.substring("mvn ".length()).split(" ")));
        return arguments;
    }

    /** Which name the registry, where the build was given some. */
    private static void settings(String option, String name, List<String> arguments) {
        String file = setting(name).replaceFirst("^settings ", "");
        if (Files.exists(Path.of(file))) {
            arguments.addAll(List.of(option, file));
        }
    }

    private static List<String> java(String command) {
        assertThat(command).startsWith("java ");
        return Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        QUICK.stream(),
                        Stream.of(command.substring("java ".length()).split(" ")),
                        Stream.of("--server.port=0", "--server.address=127.0.0.1"))
                .flatMap(each -> each)
                .toList();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void run(Path where, List<String> command) throws Exception {
        File output = where.resolve("build.log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().merge("MAVEN_OPTS", String.join(" ", QUICK), (given, ours) -> given + " " + ours);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            String said = Files.readString(output.toPath());
            if (process.exitValue() != 0) {
                // Plugins of the other line are downloaded for this test
                // alone: a machine that is cut off cannot run it.
                assumeThat(said).doesNotContain("in offline mode", "Could not transfer");
            }
            assertThat(process.exitValue()).as(said).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** An application in a process of its own. */
    private record Started(Process process, Path output) implements AutoCloseable {

        private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

        static Started of(Path project, List<String> command) throws IOException {
            Path output = project.resolve("application.log");
            return new Started(
                    new ProcessBuilder(command)
                            .directory(project.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start(),
                    output);
        }

        /** As soon as it serves. */
        URI base() throws Exception {
            for (int i = 0; i < 3600 && process.isAlive(); i++) {
                Matcher port = PORT.matcher(Files.readString(output));
                if (port.find()) {
                    return URI.create("http://127.0.0.1:" + port.group(1));
                }
                Thread.sleep(50);
            }
            throw new AssertionError("it does not serve: " + Files.readString(output));
        }

        List<String> said() throws IOException {
            return Files.readAllLines(output);
        }

        @Override
        public void close() {
            process.destroy();
            try {
                if (!process.waitFor(30, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}

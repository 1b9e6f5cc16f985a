package io.github.ratelimit.content.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The npm packages that {@code clients/package.json} names find the interface by themselves, read, write and upload; so does the
 * Java client that {@code clients/pom.xml} names, from the address that it is told.
 *
 * <p>{@code -Pfull} fetches them from the registries to {@code target/clients}, where the next run finds them. Where they are not, nor
 * Node, the tests are skipped.
 */
@EnabledIf(value = "mayBeHere", disabledReason = "the packages are not here; -Pfull fetches them")
@OnDatabase(Database.H2)
final class PublishedClientsTest {

    private static final Path DIRECTORY = Path.of("target", "clients");

    private static final boolean FULL = Boolean.getBoolean("full");
    private static final String NODE_PACKAGE = "node_modules/wpapi";
    private static final String LIBRARIES = "libraries";

    private final List<String> site;

    PublishedClientsTest(SeededServer server) {
        Account admin = Accounts.standard().get("admin");
        site = List.of(server.site().base(), admin.login(), admin.password());
    }

    /** Asked for before the server is started. */
    static boolean mayBeHere() {
        return FULL || Files.exists(DIRECTORY.resolve(NODE_PACKAGE)) || Files.exists(DIRECTORY.resolve(LIBRARIES));
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        Files.createDirectories(DIRECTORY);
    }

    @Test
    void publishedClientsWorkUnmodified() throws IOException, InterruptedException {
        copy("/clients/package.json", "/clients/check.cjs");
        assumeTrue(run(List.of("node", "--version")).succeeded(), "Node is not installed");
        assumeFetched(
                NODE_PACKAGE, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock");

        assertWorks("node", "check.cjs");
    }

    /** With both of its forms of an address; in a process of its own, as it needs libraries that are older than the server's. */
    @Test
    void aPublishedJavaClientWorksUnmodified() throws IOException, InterruptedException {
        copy("/clients/pom.xml", "/clients/Check.java", "/recordings/assets/icon.png");
        String maven = Path.of("..", "mvnw").toAbsolutePath().toString();
        assumeFetched(
                LIBRARIES, maven, "-q", "-B", "-ntp", "dependency:copy-dependencies", "-DoutputDirectory=" + LIBRARIES);

        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertWorks(java, "-cp", LIBRARIES + File.separator + "*", "Check.java");
    }

    private static void assumeFetched(String result, String... command) throws IOException, InterruptedException {
        if (!Files.exists(DIRECTORY.resolve(result)) && FULL) {
            run(List.of(command));
        }
        assumeTrue(Files.exists(DIRECTORY.resolve(result)), "the packages are not here; -Pfull fetches them");
    }

    private void assertWorks(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(site);
        words.add("icon.png");
        Result result = run(words);
        System.out.println(result.output());
        assertThat(result.succeeded()).as(result.output()).isTrue();
    }

    private static void copy(String... resources) throws IOException {
        for (String resource : resources) {
            Path file = DIRECTORY.resolve(resource.substring(resource.lastIndexOf('/') + 1));
            try (InputStream content =
                    Objects.requireNonNull(PublishedClientsTest.class.getResourceAsStream(resource))) {
                Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Result run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("client", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(DIRECTORY.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            return new Result(ended && process.exitValue() == 0, Files.readString(output));
        } catch (IOException e) {
            return new Result(false, String.valueOf(e.getMessage()));
        } finally {
            Files.delete(output);
        }
    }

    private record Result(boolean succeeded, String output) {}
}

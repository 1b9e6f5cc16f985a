package io.github.ratelimit.content.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The npm packages that {@code clients/package.json} names find the interface by themselves, read, write and upload; so does the
 * Java client that {@code clients/pom.xml} names, from the address that it is told.
 *
 * <p>Skipped where there is no Node or no package registry. The packages stay in {@code target/clients} for the next run.
 */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
final class PublishedClientsTest {

    private static final Path DIRECTORY = Path.of("target", "clients");

    @Test
    void publishedClientsWorkUnmodified(SeededServer server) throws IOException, InterruptedException {
        assumeTrue(run(20, List.of("node", "--version")).succeeded(), "Node is not installed");
        Files.createDirectories(DIRECTORY);
        copy("/clients/package.json");
        copy("/clients/check.cjs");
        assumeTrue(installed(), "the packages cannot be had from the registry");

        Account admin = Accounts.standard().get("admin");
        Result result = run(300, List.of("node", "check.cjs", server.site().base(), admin.login(), admin.password()));

        System.out.println(result.output());
        assertThat(result.succeeded()).as(result.output()).isTrue();
    }

    /** The Java client that {@code clients/pom.xml} names, with both of its forms of an address. */
    @Test
    void aPublishedJavaClientWorksUnmodified(SeededServer server) throws IOException, InterruptedException {
        Files.createDirectories(DIRECTORY);
        copy("/clients/pom.xml");
        copy("/clients/Check.java");
        assumeTrue(downloaded(), "the client cannot be had from the registry");
        copy("/recordings/assets/icon.png");
        Account admin = Accounts.standard().get("admin");

        // A process of its own, as it needs libraries that are older than the server's.
        Result result = run(
                120,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        "libraries" + File.separator + "*",
                        "Check.java",
                        server.site().base(),
                        admin.login(),
                        admin.password(),
                        "icon.png"));

        System.out.println(result.output());
        assertThat(result.succeeded()).as(result.output()).isTrue();
    }

    private static boolean downloaded() throws IOException, InterruptedException {
        return Files.exists(DIRECTORY.resolve("libraries"))
                || run(
                                120,
                                List.of(
                                        Path.of("..", "mvnw").toAbsolutePath().toString(),
                                        "-q",
                                        "-B",
                                        "-ntp",
                                        "dependency:copy-dependencies",
                                        "-DoutputDirectory=libraries"))
                        .succeeded();
    }

    private static boolean installed() throws IOException, InterruptedException {
        return Files.exists(DIRECTORY.resolve("node_modules/wpapi"))
                || run(
                                120,
                                List.of(
                                        "npm",
                                        "install",
                                        "--ignore-scripts",
                                        "--no-audit",
                                        "--no-fund",
                                        "--no-package-lock"))
                        .succeeded();
    }

    private static void copy(String resource) throws IOException {
        Path file = DIRECTORY.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        try (InputStream content = Objects.requireNonNull(PublishedClientsTest.class.getResourceAsStream(resource))) {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Result run(int seconds, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("client", ".log");
        try {
            Process process;
            try {
                process = new ProcessBuilder(command)
                        .directory(Files.isDirectory(DIRECTORY) ? DIRECTORY.toFile() : null)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
            } catch (IOException e) {
                return new Result(false, String.valueOf(e.getMessage()));
            }
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            return new Result(ended && process.exitValue() == 0, Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    private record Result(boolean succeeded, String output) {}
}

package io.github.ratelimit.content.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/**
 * The npm packages that {@code clients/package.json} names find the interface by themselves, read, write and upload.
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
        copy("package.json");
        copy("check.cjs");
        assumeTrue(installed(), "the packages cannot be had from the registry");

        Account admin = Accounts.standard().get("admin");
        Result result = run(300, List.of("node", "check.cjs", server.site().base(), admin.login(), admin.password()));

        System.out.println(result.output());
        assertThat(result.succeeded()).as(result.output()).isTrue();
    }

    /**
     * The requests of the Java client {@code com.afrozaar.wordpress:wp-api-v2-client-java}, with both of its forms of an
     * address. They are imitated: the client itself is in no registry that builds reach.
     */
    @ParameterizedTest
    @ValueSource(strings = {"?rest_route=/cms/v2", "/index.php?rest_route=/cms/v2"})
    void requestsOfTheJavaClientWork(String form, SeededServer server) {
        JavaClient client = new JavaClient(server.site().base() + form);
        JsonNode post = client.send(
                HttpMethod.POST, "/posts", Map.of(), Map.of("title", "By Java", "content", "One", "status", "publish"));
        String id = post.path("id").asString();
        JsonNode file = client.upload("/media", Map.of("title", "A file", "post", id, "alt_text", "alt"));
        String fileId = file.path("id").asString();

        assertThat(client.send(HttpMethod.GET, "/posts/" + id, Map.of("context", "view"), null)
                        .path("title")
                        .path("rendered")
                        .asString())
                .isEqualTo("By Java");
        assertThat(client.send(HttpMethod.PUT, "/posts/" + id, Map.of(), Map.of("featured_media", fileId))
                        .path("featured_media")
                        .asString())
                .isEqualTo(fileId);
        assertThat(client.send(HttpMethod.GET, "/media", Map.of("parent", id, "context", "edit"), null))
                .hasSize(1);
        assertThat(client.send(HttpMethod.GET, "/posts", Map.of("page", "2", "per_page", "3"), null))
                .hasSize(3);
        assertThat(client.next("/posts", Map.of("page", "2", "per_page", "3"))).hasSize(3);
        assertThat(client.send(HttpMethod.GET, "/taxonomies", Map.of(), null).has("category"))
                .isTrue();
        assertThat(client.send(HttpMethod.GET, "/taxonomies/category", Map.of(), null)
                        .path("hierarchical")
                        .booleanValue())
                .isTrue();
        assertThat(client.send(HttpMethod.GET, "/tags", Map.of("post", id), null))
                .isEmpty();
        client.send(HttpMethod.DELETE, "/media/" + fileId, Map.of("force", "true"), null);
        assertThat(client.send(HttpMethod.DELETE, "/posts/" + id, Map.of(), null)
                        .path("status")
                        .asString())
                .isEqualTo("trash");
        client.send(HttpMethod.DELETE, "/posts/" + id, Map.of("force", "true"), null);
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

    private static void copy(String name) throws IOException {
        try (InputStream file =
                Objects.requireNonNull(PublishedClientsTest.class.getResourceAsStream("/clients/" + name))) {
            Files.copy(file, DIRECTORY.resolve(name), StandardCopyOption.REPLACE_EXISTING);
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

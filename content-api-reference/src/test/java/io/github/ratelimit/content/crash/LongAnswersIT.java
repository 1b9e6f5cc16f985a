package io.github.ratelimit.content.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ServerProcess;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Strangers ask a server with a small heap for much text at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "full", matches = "true")
final class LongAnswersIT {
    /** Together longer than one answer may be. */
    private static final int POSTS = 100;

    private static final int WRITERS = 4;

    /** Many more than there is room for: two answers of 30 posts fill it. */
    private static final int STRANGERS = 64;

    private final HttpClient http = HttpClient.newHttpClient();
    private ServerProcess server;

    @BeforeAll
    void writeLongPosts(@TempDir Path dataDirectory) throws Exception {
        server = ServerProcess.startJar(TimeSource.system(), dataDirectory, "-Xmx512m", ServerProcess.SHORT_LIVED);
        SiteClient site = new SiteClient(server.base());
        Account author = Accounts.standard().get("author");
        String text =
                "{\"title\": \"Long\", \"status\": \"publish\", \"content\": \"" + ("ж".repeat(60) + " ").repeat(8_200);
        Callable<Integer> writing =
                () -> site.as(author).post("/cms/v2/posts", text + "\"}").status();
        for (int i = 0; i < POSTS; i += WRITERS) {
            assertThat(AtOnce.run(Collections.nCopies(WRITERS, writing))).containsOnly(201);
        }
    }

    @AfterAll
    void end() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void anAnswerOfTooMuchTextIsRejectedAndOneWithoutTextsIsGiven() throws Exception {
        assertThat(lists("per_page=100")).containsOnly(413);
        assertThat(lists("per_page=100&_fields=id,link")).containsOnly(200);
        assertThat(status("/actuator/health")).isEqualTo(200);
    }

    @Test
    void longAnswersWaitForRoom() throws Exception {
        assertThat(lists("per_page=30")).contains(200).isSubsetOf(200, 503);
        assertThat(status("/actuator/health")).isEqualTo(200);
        assertThat(lists("per_page=1")).containsOnly(200);
    }

    /** Not a buffer as large as a post for each thread that wrote one. */
    @Test
    void writersOfLongPostsLeaveLittleOutsideTheHeap() {
        String metrics = new SiteClient(server.base())
                .as(Accounts.standard().get("admin"))
                .open(server.base() + "/actuator/prometheus")
                .text();
        String bytes = metrics.replaceAll("(?s).*\njvm_buffer_memory_used_bytes\\{id=\"direct\"} ([0-9.E]+)\n.*", "$1");
        assertThat(Double.parseDouble(bytes)).isLessThan(64 << 20);
    }

    /** Each asks in words of its own, so that no answer comes from the cache. */
    private List<Integer> lists(String query) {
        String list = "/index.php?rest_route=" + Query.encode("/cms/v2/posts") + "&" + query + "&stranger=";
        return AtOnce.run(STRANGERS, stranger -> status(list + stranger));
    }

    private int status(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.base() + path)).build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }
}

package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that creates item 7 on every POST and answers one fixed list to every GET. */
final class ReplayerTest {

    private static final String CREATE =
            "{\"name\": \"create\", \"bind\": {\"p\": \"id\"}, \"request\": {\"method\": \"POST\","
                    + " \"route\": \"/cms/v2/posts\", \"auth\": \"admin\", \"body\": {\"title\": \"x\"}}, \"response\": {\"status\": 201,"
                    + " \"headers\": {\"content-type\": \"application/json; charset=UTF-8\","
                    + " \"location\": \"{{base}}/index.php?rest_route=/cms/v2/posts/{{p}}\"}, \"body\": {\"id\": \"{{p}}\"}}}";
    private static final String LIST =
            "{\"name\": \"list\", \"request\": {\"method\": \"GET\", \"route\": \"/cms/v2/posts\","
                    + " \"query\": {\"include[]\": [1, 2]}, \"auth\": \"anonymous\"}, \"response\": {\"status\": 200,"
                    + " \"headers\": {\"content-type\": \"application/json\", \"allow\": \"POST, GET\"}, \"body\": %s}}";

    private final List<String> received = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Files.createDirectory(directory.resolve("assets"));
        Files.writeString(directory.resolve("seed.json"), "{}");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void deletesForGoodWhatAGroupCreated() throws IOException {
        Replayer.TopicResult result = play(CREATE);

        assertThat(result.report()).isEqualTo("topic: 1 passed, 0 failed");
        assertThat(received).last().isEqualTo("DELETE /index.php?rest_route=/cms/v2/posts/7&force=true");
    }

    @Test
    void printsEveryDifference() throws IOException {
        Replayer.TopicResult result = play(LIST.formatted("[{\"id\": 1, \"slug\": \"b\"}]"));

        assertThat(result.report()).isEqualTo("""
                        FAILED topic: list (GET /cms/v2/posts)
                            body.0.slug: expected "b", was "a"
                        topic: 0 passed, 1 failed""");
    }

    @Test
    void sendsAListAsARepeatedArgument() throws IOException {
        Replayer.TopicResult result = play(LIST.formatted("[{\"id\": 1, \"slug\": \"a\"}]"));

        assertThat(result.count(Replayer.Outcome.PASSED)).isEqualTo(1);
        assertThat(received).contains("GET /index.php?rest_route=/cms/v2/posts&include%5B%5D=1&include%5B%5D=2");
    }

    private Replayer.TopicResult play(String captures) throws IOException {
        Files.writeString(directory.resolve("topic.json"), "{\"groups\": [{\"captures\": [" + captures + "]}]}");
        SiteClient site =
                new SiteClient("http://127.0.0.1:" + server.getAddress().getPort());
        return Replayer.load(site, Accounts.standard(), Recordings.in(directory))
                .play("topic");
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        boolean create = exchange.getRequestMethod().equals("POST");
        String body = create ? "{\"id\": 7}" : "[{\"id\": 1, \"slug\": \"a\"}]";
        var headers = exchange.getResponseHeaders();
        headers.add("Content-Type", "application/json;charset=UTF-8");
        if (create) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            headers.add("Location", "http://" + host + "/index.php?rest_route=/cms/v2/posts/7");
        } else {
            headers.add("Allow", "GET, POST");
        }
        exchange.sendResponseHeaders(create ? 201 : 200, 0);
        try (var out = exchange.getResponseBody()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
        }
    }
}

package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Nobody is answered with what somebody else asked for, whatever part of the request asked for it. */
@OnDatabase(Database.H2)
final class CacheKeyTest {
    private static final AtomicInteger UNSEEN = new AtomicInteger();
    private static final String JSON =
            "{\"search\":\"nothing\",\"id\":5,\"p\":5,\"per_page\":1,\"_fields\":\"id\",\"_envelope\":1}";

    private final SiteClient site;
    private final SeededServer server;

    CacheKeyTest(SeededServer server) {
        this.server = server;
        this.site = server.site();
    }

    /** What a stranger may send along with the same address. */
    private List<UnaryOperator<SiteClient.Call>> additions() {
        String other = Long.toString(server.content().id("posts.bravo"));
        Query form = Query.of("search", "nothing", "id", other, "p", other, "page", "9", "paged", "7");
        return List.of(
                call -> call.json(JSON),
                call -> call.form(form),
                call -> call.multipart(
                        Map.of("p", other, "search", "nothing"),
                        new SiteClient.FilePart("file", "a.txt", "text/plain", new byte[] {1})),
                call -> call.header("Cookie", "x=y; post_password=z"),
                call -> call.header("Authorization", "Basic eDp5"),
                call -> call.as("admin"),
                call -> call.header("X-HTTP-Method-Override", "HEAD"),
                call -> call.header("X-HTTP-Method-Override", "DELETE"),
                call -> call.header("X-Forwarded-Host", "elsewhere.example"),
                call -> call.header("X-Forwarded-Proto", "https"),
                call -> call.header("Forwarded", "host=elsewhere.example;proto=https"),
                call -> call.header("X-Original-URL", "/?p=5").header("X-Rewrite-URL", "/?p=5"),
                call -> call.header("Accept", "application/xml").header("Accept-Language", "de"),
                call -> call.header("Origin", "https://elsewhere.example"),
                call -> call.header("Range", "bytes=0-3"),
                call -> call.header("If-None-Match", "*").header("If-Match", "*"),
                call -> call.header("User-Agent", "x"));
    }

    private List<String> addresses() {
        long alpha = server.content().id("posts.alpha");
        return List.of(
                "/index.php?rest_route=/cms/v2/posts&per_page=3",
                "/index.php?rest_route=/cms/v2/posts/" + alpha + "&x=1",
                "/?rest_route=%2Fcms/v2/categories&x=1",
                "/index.php?rest_route=/oembed/1.0/embed&url=" + Query.encode(site.base() + "/?p=" + alpha),
                "/?x=1",
                "/?p=" + alpha);
    }

    @Test
    void whatComesWithARequestChangesNoAnswerToOthers() {
        for (String address : addresses()) {
            String expected = site.open(fresh(address)).text();
            for (String method : List.of("GET", "HEAD", "POST")) {
                int number = 0;
                for (UnaryOperator<SiteClient.Call> addition : additions()) {
                    String same = fresh(address);
                    SiteClient.Call call = addition.apply(site.callAddress(method, site.base() + same));
                    if (method.equals("POST")) {
                        // What a stranger sends: an account would write.
                        call.header("Authorization", "none");
                    }
                    call.send();

                    assertThat(site.open(same).text())
                            .as("after " + method + " " + same + " with addition " + number++)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void whatAnAddressSaysIsAnswered() {
        String list = "/index.php?rest_route=/cms/v2/posts&_fields=id";

        assertThat(site.open(list + "&per_page=1").json()).hasSize(1);
        assertThat(site.open(list + "&per_page=2").json()).hasSize(2);
        assertThat(site.open(list + "&per_page=%31").json()).hasSize(1);
        assertThat(site.open(list + "&per_page=1&per_page=2").json()).hasSize(2);
        assertThat(site.open(list + "&per_page=2&rest_route%5B%5D=/cms/v2/pages")
                        .status())
                .isEqualTo(404);
        String pages = site.open("/index.php?rest_route=/cms/v2/pages&_fields=id&per_page=2")
                .text();
        assertThat(site.open(list + "&per_page=2&rest%5Froute=/cms/v2/pages").text())
                .isEqualTo(pages);
        assertThat(site.open(list + "&per_page=2").text()).isNotEqualTo(pages);
    }

    @Test
    void anotherHostHasAnotherAnswer() {
        for (String address : addresses()) {
            String same = fresh(address);
            raw(same, "elsewhere.example");

            assertThat(site.open(same).text()).as(address).doesNotContain("elsewhere.example");
        }
    }

    @Test
    void whatIsRejectedPurgesNothing() {
        long alpha = server.content().id("posts.alpha");
        String address = fresh("/index.php?rest_route=/cms/v2/posts&per_page=4");
        site.open(address);
        assertThat(site.open(address).header("X-Content-Cache")).contains("hit");

        List<SiteClient.Call> rejected = List.of(
                // 501: what has no trash is deleted for good only.
                site.as("admin")
                        .call("DELETE", "/cms/v2/categories/" + server.content().id("categories.events")),
                site.call("POST", "/cms/v2/posts").json("{\"title\": \"x\"}"),
                site.call("POST", "/cms/v2/posts"),
                site.call("DELETE", "/cms/v2/posts/" + alpha),
                site.call("POST", "/cms/v2/posts/999999").json("{}"),
                site.as("admin").call("POST", "/cms/v2/posts").json("{\"status\": \"nothing\"}"),
                site.as("admin").call("POST", "/cms/v2/posts").json("{}"),
                site.call("POST", "/batch/v1").json("{\"requests\": []}"),
                site.call("POST", "/batch/v1")
                        .json("{\"requests\": [{\"path\": \"/cms/v2/posts\", \"body\": {\"title\": \"x\"}}]}"),
                site.call("POST", "/cms/v2/media")
                        .header("Content-Type", "image/png")
                        .body(new byte[] {1}),
                site.call("POST", "/nothing").json("{}"),
                site.call("OPTIONS", "/cms/v2/posts"));
        for (SiteClient.Call call : rejected) {
            Answer answer = call.send();
            assertThat(site.open(address).header("X-Content-Cache"))
                    .as("after " + answer.status() + " " + answer.text())
                    .contains("hit");
        }

        long id = site.as("admin")
                .post("/cms/v2/posts", "{\"title\": \"x\", \"status\": \"publish\"}")
                .id();
        assertThat(site.open(address).header("X-Content-Cache")).contains("miss");
        site.as("admin")
                .post(
                        "/batch/v1",
                        "{\"requests\": [{\"method\": \"DELETE\", \"path\": \"/cms/v2/posts/" + id + "?force=1\"}]}");
        assertThat(site.open(address).header("X-Content-Cache")).contains("miss");
    }

    /** A draft is on nothing that is kept, and what it may be seen by is seen as soon as it is published. */
    @Test
    void whatNobodySeesPurgesNothing() {
        String address = fresh("/index.php?rest_route=/cms/v2/posts&per_page=5");
        site.open(address);
        long draft = written("POST", "/cms/v2/posts", "{\"title\": \"Unseen\"}").id();
        String item = "/cms/v2/posts/" + draft;
        written("POST", item, "{\"content\": \"More\", \"tags\": [], \"status\": \"pending\"}");
        written("POST", item, "{\"status\": \"private\"}");
        written("POST", item + "/autosaves", "{\"content\": \"Most\"}");
        written("DELETE", item, "");
        written("POST", item, "{\"status\": \"draft\"}");
        written("POST", "/cms/v2/users/me/application-passwords", "{\"name\": \"Unseen\"}");
        assertThat(site.open(address).header("X-Content-Cache")).contains("hit");

        for (String seen : List.of("{\"status\": \"publish\"}", "{\"title\": \"Seen\"}", "{\"status\": \"draft\"}")) {
            site.open(address);
            String before = site.open(address).text();
            written("POST", item, seen);
            assertThat(site.open(address).text()).as(seen).isNotEqualTo(before);
        }
        site.open(address);
        written("DELETE", item + "?force=true", "");
        assertThat(site.open(address).header("X-Content-Cache")).contains("hit");
    }

    /** Clients know this complaint after the write, not in its place. */
    @Test
    void whatIsWrittenAndThenComplainedOfPurges() {
        long post = written("POST", "/cms/v2/posts", "{\"title\": \"Before\", \"status\": \"publish\"}")
                .id();
        String address = "/index.php?rest_route=/cms/v2/posts/" + post;
        site.open(address);

        Answer complaint =
                site.as("admin").post("/cms/v2/posts/" + post, "{\"title\": \"After\", \"meta\": {\"footnotes\": 5}}");

        assertThat(complaint.status()).isEqualTo(400);
        assertThat(site.open(address).text("/title/rendered")).isEqualTo("After");
        written("DELETE", "/cms/v2/posts/" + post + "?force=true", "");
    }

    private Answer written(String method, String route, String json) {
        Answer answer = site.as("admin").call(method, route).json(json).send();
        assertThat(answer.status()).as(route + " " + answer.text()).isBetween(200, 201);
        return answer;
    }

    /** The same answer at an address that nobody has asked for. */
    private static String fresh(String address) {
        return address + "&unseen=" + UNSEEN.incrementAndGet();
    }

    private String raw(String address, String host) {
        try (var connection = new RawConnection(site.base())) {
            return connection
                    .write("GET " + address + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                    .awaitEnd();
        }
    }
}

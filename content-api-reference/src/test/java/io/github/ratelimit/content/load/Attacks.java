package io.github.ratelimit.content.load;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ways in which the server is attacked at once; each was once enough by itself, or might be. {@link FurtherAttacks} are made one after the
 * other only.
 */
final class Attacks {
    static final String POSTS = "/index.php?rest_route=/cms/v2/posts";
    static final String JSON = "Content-Type: application/json";
    static final String WIDGET = "/api/v1/widget/";
    static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final int LONG_POSTS = 12;
    /** Of one network of the machine's own. */
    private static final int ADDRESSES = 250;

    private final URI base;
    private final Site site;
    private final AtomicInteger addresses = new AtomicInteger();

    Attacks(URI base, Site site) {
        this.base = base;
        this.site = site;
    }

    /**
     * What attackers know: credentials, a visitor's token, and numbers of items.
     *
     * @param posts all that are published, long and short
     */
    record Site(String contributor, String author, String visitor, long draft, long guarded, List<Long> posts) {}

    /** Fills the site with what is attacked. */
    static Site prepare(URI base, Accounts accounts) {
        SiteClient client = new SiteClient(base.toString());
        Account editor = accounts.get("editor");
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < LONG_POSTS; i++) {
            for (String text : List.of("A long text. ".repeat(8_000), "<p>Short.</p>")) {
                posts.add(post(client, editor, fields().put("status", "publish").put("content", text)));
            }
        }
        long guarded = post(client, editor, fields().put("status", "publish").put("password", "not guessed"));
        long draft = post(client, accounts.get("contributor"), fields().put("status", "draft"));
        String visitor = client.callAddress("POST", base + WIDGET + "init")
                .json("{}")
                .send()
                .json()
                .path("token")
                .asString();
        return new Site(
                accounts.get("contributor").basic(),
                accounts.get("author").basic(),
                visitor,
                draft,
                guarded,
                List.copyOf(posts));
    }

    static long post(SiteClient client, Account by, ObjectNode fields) {
        Answer answer = client.call("POST", "/cms/v2/posts")
                .as(by)
                .json(fields.put("title", "Besieged"))
                .send();
        if (answer.status() != 201) {
            throw new IllegalStateException("no post: " + answer.text());
        }
        return answer.json().path("id").longValue();
    }

    static ObjectNode fields() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Has what attackers stored with somebody's account deleted by its owner; the rest has a time after which it goes. */
    static void deleteWhatOwnersDelete(URI base, Accounts accounts, Site site) throws InterruptedException {
        SiteClient client = new SiteClient(base.toString());
        delete(client.call("DELETE", "/cms/v2/posts/" + site.draft(), Query.of("force", "true"))
                .as(accounts.get("contributor")));
        delete(client.callAddress("POST", base + "/v1/cms/sync")
                .header("Authorization", "Bearer " + BesiegedServer.WORKSPACE_TOKEN)
                .json("{\"documents\":[]}"));
    }

    /** The attack may have used the limit up. */
    private static void delete(SiteClient.Call call) throws InterruptedException {
        Answer answer = call.send();
        while (answer.status() == 429) {
            TimeUnit.SECONDS.sleep(Long.parseLong(answer.header("Retry-After").orElse("1")));
            answer = call.send();
        }
        if (answer.status() != 200) {
            throw new IllegalStateException("not deleted: " + answer.status() + " " + answer.text());
        }
    }

    List<Attack> all() {
        String things = "{\"a\":[" + "{},".repeat(300_000) + "{}]}";
        String marks = "'\\\"".repeat(20_000);
        String tags = "<a " + "a ".repeat(60_000) + ">";
        return List.of(
                held(
                        "bodies that do not come",
                        150,
                        "POST " + WIDGET + "init HTTP/1.1\r\nHost: x\r\n" + JSON + "\r\nContent-Length: 9000\r\n\r\n{"),
                held(
                        "bodies that do not come, of the interface",
                        150,
                        "POST " + POSTS + " HTTP/1.1\r\nHost: x\r\n" + JSON + "\r\nContent-Length: 9000\r\n\r\n{"),
                held("header lines that do not end", 150, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
                held(
                        "answers that nobody reads",
                        100,
                        ("GET " + POSTS + "&per_page=20 HTTP/1.1\r\nHost: x\r\n\r\n").repeat(4)),
                held("streams that nobody reads", 50, streamed()),
                held("connections that send nothing", 400, ""),
                sent(
                        "a million things in a body",
                        n -> request("POST", "/index.php?rest_route=/batch/v1", things, JSON)),
                sent("the same by an account", n -> request("POST", POSTS, things, JSON, by(site.contributor()))),
                sent("brackets", n -> request("POST", WIDGET + "init", "[".repeat(60_000), JSON)),
                sent(
                        "parts",
                        n -> request(
                                "POST",
                                POSTS,
                                "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n"
                                        + "y".repeat(200_000) + "\r\n--x--",
                                "Content-Type: multipart/form-data; boundary=x")),
                sent(
                        "wrong passwords of applications",
                        n -> request("GET", POSTS, "", by(Account.basic("siteadmin", "wrong" + n)))),
                sent(
                        "wrong passwords at the live page",
                        n -> request("GET", "/limits/live", "", by(Account.basic("siteadmin", "wrong" + n)))),
                sent(
                        "wrong passwords of a page",
                        n -> request("POST", "/?p=" + site.guarded(), "post_password=" + n, FORM)),
                sent("searches", n -> request("GET", POSTS + "&search=word" + n + "%20text", "")),
                sent("long lists", n -> request("GET", POSTS + "&per_page=100&x=" + n, "")),
                sent("deep pages", n -> request("GET", POSTS + "&per_page=1&orderby=title&page=" + (1 + n % 24), "")),
                sent("marks in a text", n -> update(n, marks)),
                sent("tags in a text", n -> update(n, tags)),
                sent(
                        "one letter more",
                        n -> request(
                                "POST",
                                POSTS + "/" + site.draft(),
                                "{\"title\":\"" + n + "\"}",
                                JSON,
                                by(site.contributor()))),
                sent(
                        "documents",
                        n -> request(
                                "POST",
                                "/v1/cms/documents",
                                "{\"documents\":[{\"id\":" + n + ",\"title\":\"t\",\"content\":\"" + "<?".repeat(99_000)
                                        + "\"}]}",
                                JSON,
                                "Authorization: Bearer " + BesiegedServer.WORKSPACE_TOKEN)),
                sent(
                        "beginnings",
                        n -> request("POST", WIDGET + "init", "{\"page\":\"" + "p".repeat(3_900) + "\"}", JSON)),
                sent(
                        "messages",
                        n -> request(
                                "POST",
                                WIDGET + "messages",
                                "{\"text\":\"" + "word ".repeat(700) + "\"}",
                                JSON,
                                "Authorization: Bearer " + site.visitor())),
                sent(
                        "descriptions of what is inside",
                        n -> request(
                                "GET",
                                "/index.php?rest_route=/oembed/1.0/proxy&url=http://127.0.0.1:" + (n % 2 == 0 ? 22 : 80)
                                        + "/" + n,
                                "",
                                by(site.contributor()))),
                sent(
                        "pictures that are none",
                        n -> request(
                                "POST",
                                "/index.php?rest_route=/cms/v2/media",
                                "\u0089PNG" + "x".repeat(50_000),
                                "Content-Type: image/png",
                                "Content-Disposition: attachment; filename=\"a" + n + ".png\"",
                                by(site.author()))),
                sent("what cannot be read", n -> request(n % 2 == 0 ? "GET" : "POST", "/?p=%zz&a=%", "%zz=%", FORM)));
    }

    private String streamed() {
        String body = "{\"text\":\"When are you open?\"}";
        return "POST " + WIDGET + "messages HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n" + JSON
                + "\r\nAuthorization: Bearer " + site.visitor() + "\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + body;
    }

    byte[] update(int number, String text) {
        return request(
                "POST",
                POSTS + "/" + site.draft(),
                "{\"content\":\"" + number + text + "\"}",
                JSON,
                by(site.contributor()));
    }

    static String by(String basic) {
        return "Authorization: " + basic;
    }

    byte[] request(String method, String path, String body, String... fields) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\n"
                + String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n")
                + (bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n") + "\r\n";
        return (head + body).getBytes(StandardCharsets.ISO_8859_1);
    }

    RequestsOneAfterTheOther sent(String name, IntFunction<byte[]> request) {
        return inSteps(name, (number, last) -> request.apply(number));
    }

    RequestsOneAfterTheOther inSteps(String name, RequestsOneAfterTheOther.Next next) {
        return new RequestsOneAfterTheOther(name, base, next(), next);
    }

    Attack held(String name, int connections, String first) {
        return new ConnectionsThatAreHeld(name, base, next(), connections, first.getBytes(StandardCharsets.US_ASCII));
    }

    private String next() {
        int number = addresses.getAndIncrement();
        return "127.0." + (2 + number / ADDRESSES) + "." + (1 + number % ADDRESSES);
    }
}

package io.github.ratelimit.content.load;

import static io.github.ratelimit.content.load.Attacks.FORM;
import static io.github.ratelimit.content.load.Attacks.JSON;
import static io.github.ratelimit.content.load.Attacks.POSTS;
import static io.github.ratelimit.content.load.Attacks.WIDGET;
import static io.github.ratelimit.content.load.Attacks.by;
import static java.util.stream.Collectors.joining;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import tools.jackson.databind.JsonNode;

/**
 * Attacks beside {@link Attacks}, so that each row of the security page whose attack costs the server something has one. They are made one after
 * the other: so many at once take the processors from the server that is measured.
 */
final class FurtherAttacks {
    private static final String BATCH = "/index.php?rest_route=/batch/v1";
    private static final String MEDIA = "/index.php?rest_route=/cms/v2/media";
    private static final String TAGS = "/index.php?rest_route=/cms/v2/tags";
    private static final String DOCUMENTS = "/v1/cms/documents";
    private static final int MANY = 24;
    private static final int MEMBERS_OF_A_BATCH = 25;
    private static final int LONG_DOCUMENTS = 20;
    private static final int NOISY_SIDE = 1_200;
    private static final int SMALL_SIDE = 300;

    private final Attacks attacks;
    private final Attacks.Site site;
    private final Further further;
    private final String subscriber = by(Accounts.standard().get("subscriber").basic());
    private final String editor = by(Accounts.standard().get("editor").basic());
    private final String contributor;
    private final String author;

    FurtherAttacks(Attacks attacks, Attacks.Site site, Further further) {
        this.attacks = attacks;
        this.site = site;
        this.further = further;
        this.contributor = by(site.contributor());
        this.author = by(site.author());
    }

    /**
     * What further attackers know.
     *
     * @param own a published post of the author
     * @param picture a large picture of the author
     * @param file its address
     */
    record Further(long own, long picture, URI file) {}

    /** Fills the site with what is attacked further. */
    static Further prepare(URI base, Accounts accounts) {
        SiteClient client = new SiteClient(base.toString());
        Account author = accounts.get("author");
        long own = Attacks.post(client, author, Attacks.fields().put("status", "publish"));
        JsonNode picture = client.call("POST", "/cms/v2/media")
                .as(author)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"noise.png\"")
                .body(noise(NOISY_SIDE))
                .send()
                .json();
        client.callAddress("POST", base + DOCUMENTS)
                .header("Authorization", "Bearer " + BesiegedServer.workspaceToken(1))
                .json(documents(LONG_DOCUMENTS, "A long document. ".repeat(11_000)))
                .send();
        return new Further(
                own,
                picture.path("id").longValue(),
                URI.create(picture.path("source_url").asString()));
    }

    private static byte[] noise(int side) {
        var picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        int[] colours = new Random(1).ints((long) side * side).toArray();
        picture.setRGB(0, 0, side, side, colours, 0, side);
        var out = new ByteArrayOutputStream();
        try {
            ImageIO.write(picture, "png", out);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static String documents(int count, String text) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":" + i + ",\"title\":\"t\",\"content\":\"" + text + "\"}")
                .collect(joining(",", "{\"documents\":[", "]}"));
    }

    List<Attack> all() {
        return Stream.of(connections(), bodies(), lists(), texts(), accounts(), workspaces(), files())
                .flatMap(List::stream)
                .toList();
    }

    private List<Attack> connections() {
        String host = " HTTP/1.1\r\nHost: x\r\n";
        String text = "x".repeat(60_000);
        return List.of(
                attacks.held(
                        "long bodies that come but for their end",
                        100,
                        "POST " + POSTS + host + JSON + "\r\n" + contributor
                                + "\r\nContent-Length: 60100\r\n\r\n{\"content\":\"" + text),
                attacks.held(
                        "pieces that do not come",
                        100,
                        "POST " + WIDGET + "init" + host + JSON + "\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n{"),
                attacks.held(
                        "forms of pages that do not come",
                        100,
                        "POST /?p=" + site.guarded() + host + FORM + "\r\nContent-Length: 9000\r\n\r\npost_password=a"),
                attacks.held(
                        "parts that do not come",
                        100,
                        "POST " + MEDIA + host + "Content-Type: multipart/form-data; boundary=x\r\n" + author
                                + "\r\nContent-Length: 90000\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"file\";"
                                + " filename=\"a.png\"\r\n\r\n"),
                attacks.held(
                        "files that do not come",
                        100,
                        "POST " + MEDIA + host
                                + "Content-Type: image/png\r\nContent-Disposition: attachment; filename=\"a.png\"\r\n"
                                + author + "\r\nContent-Length: 90000\r\n\r\n"),
                attacks.held(
                        "files that nobody reads",
                        50,
                        ("GET " + further.file().getRawPath() + host + "\r\n").repeat(4)),
                attacks.held(
                        "bodies of what the container answers by itself",
                        100,
                        "OPTIONS *" + host + "Content-Length: 9000\r\n\r\nx"));
    }

    private List<Attack> bodies() {
        String brackets = IntStream.range(0, 60)
                .mapToObj(i -> "a" + i + "[b][c][d][e][f][g][h][i][j][k][l][m]=1")
                .collect(joining("&"));
        return List.of(
                attacks.sent("bodies behind a GET", n -> attacks.request("GET", POSTS + "&x=" + n, "x".repeat(9_000))),
                attacks.sent("brackets in the names of a form", n -> attacks.request("POST", POSTS, brackets, FORM)),
                manyAtOnce(
                        "beginnings of many at once",
                        n -> attacks.request("POST", WIDGET + "init", "{\"page\":\"" + n + "\"}", JSON)),
                manyAtOnce("changes of one post by many at once", n -> attacks.update(n, "word ".repeat(4_000))),
                attacks.sent(
                        "batches",
                        n -> batch(post -> "{\"title\":\"" + n + "\"}", LongStream.generate(site::draft), contributor)),
                attacks.sent(
                        "batches of what is long",
                        n -> batch(
                                post -> "{\"title\":\"Besieged " + n + "\"}",
                                site.posts().stream().mapToLong(Long::longValue),
                                editor)),
                attacks.sent(
                        "writes that are refused",
                        n -> attacks.request("POST", POSTS, "{\"title\":\"" + n + "\"}", JSON, subscriber)));
    }

    private byte[] batch(LongFunction<String> body, LongStream posts, String account) {
        String members = posts.limit(MEMBERS_OF_A_BATCH)
                .mapToObj(post -> "{\"method\":\"POST\",\"path\":\"/cms/v2/posts/" + post + "\",\"body\":"
                        + body.apply(post) + "}")
                .collect(joining(",", "{\"requests\":[", "]}"));
        return attacks.request("POST", BATCH, members, JSON, account);
    }

    private List<Attack> lists() {
        String words = "verylongword".repeat(10);
        return List.of(
                attacks.sent(
                        "excerpts",
                        n -> attacks.request("GET", POSTS + "&per_page=100&excerpt_length=" + (100 + n), "")),
                attacks.sent(
                        "lists with what is linked",
                        n -> attacks.request("GET", POSTS + "&per_page=100&_embed=1&x=" + n, "")),
                attacks.sent(
                        "long words in a search",
                        n -> attacks.request(
                                "GET",
                                POSTS + "&search="
                                        + IntStream.range(0, 9)
                                                .mapToObj(i -> words + n + "y" + i)
                                                .collect(joining("%20")),
                                "")),
                attacks.sent(
                        "ids of nothing",
                        n -> attacks.request(
                                "GET", POSTS + "&per_page=100&include=" + numbers(100_000 + n * 100, 100), "")),
                attacks.sent(
                        "a thousand terms",
                        n -> reading("{\"tags\":[" + numbers(n, 1_500) + "],\"categories_exclude\":[1]}")),
                attacks.sent("lists in a text", n -> reading("{\"include\":\"" + numbers(n, 20_000) + "\"}")),
                attacks.sent(
                        "long searches in a body", n -> reading("{\"search\":\"" + n + " word".repeat(1_900) + "\"}")),
                attacks.sent(
                        "years of no number",
                        n -> attacks.request(
                                "GET", POSTS + "&before=9999-12-31T00:00:00&after=2263-01-01T00:00:0" + n % 10, "")),
                attacks.sent(
                        "passwords of items in lists",
                        n -> attacks.request("GET", POSTS + "&include=" + site.guarded() + "&password=" + n, "")),
                attacks.sent(
                        "descriptions of own items",
                        n -> attacks.request(
                                "GET",
                                "/index.php?rest_route=/oembed/1.0/embed&format=xml&url=http://" + host() + "/?p="
                                        + site.posts().get(0) + "&maxwidth=" + n,
                                "")),
                attacks.sent("health", n -> attacks.request("GET", "/actuator/health", "")));
    }

    private String host() {
        return further.file().getAuthority();
    }

    /** Reads posts by arguments that are in the body. */
    private byte[] reading(String arguments) {
        return attacks.request("POST", POSTS + "&_method=GET", arguments, JSON, contributor);
    }

    private static String numbers(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Integer::toString).collect(joining(","));
    }

    private List<Attack> texts() {
        String blocks = "<!-- wp:group -->".repeat(2_000) + "<!-- /wp:group -->".repeat(2_000);
        String slug = "\\u00e9\\u0301".repeat(9_000);
        String capitals = "\\u0130".repeat(100_000);
        return List.of(
                attacks.sent("blocks within each other", n -> attacks.update(n, blocks)),
                attacks.sent("blocks that begin and end", n -> attacks.update(n, "<!-- wp:x /-->".repeat(10_000))),
                attacks.sent("shortcodes", n -> attacks.update(n, "[caption]".repeat(15_000))),
                attacks.sent("letters whose small form is longer", n -> attacks.update(n, capitals)),
                attacks.sent("long slugs", n -> change(site.draft(), "{\"slug\":\"" + n + slug + "\"}", contributor)),
                attacks.sent(
                        "wordings that are kept",
                        n -> attacks.request(
                                "GET", POSTS + "/" + site.draft() + "/revisions&per_page=100&x=" + n, "", contributor)),
                attacks.sent(
                        "a search after each write",
                        n -> n % 2 == 0
                                ? attacks.request("GET", POSTS + "&search=word" + n, "")
                                : change(further.own(), "{\"content\":\"word" + n + "\"}", author)));
    }

    private byte[] change(long post, String fields, String account) {
        return attacks.request("POST", POSTS + "/" + post, fields, JSON, account);
    }

    private List<Attack> accounts() {
        return List.of(
                attacks.sent(
                        "profiles",
                        n -> attacks.request(
                                "POST",
                                "/index.php?rest_route=/cms/v2/users/me",
                                "{\"description\":\"" + n + "\"}",
                                JSON,
                                subscriber)),
                manyAtOnce(
                        "wrong passwords of many at once",
                        n -> attacks.request("GET", "/limits/live", "", by(Account.basic("siteadmin", "wrong" + n)))),
                attacks.inSteps("tags of many posts that are deleted", new Tagging()));
    }

    /** Makes a tag, gives it to all posts, and deletes it. */
    private final class Tagging implements RequestsOneAfterTheOther.Next {
        private long tag;
        private int step;

        @Override
        public byte[] after(int number, Answer last) {
            int turn = step++ % 3;
            if (turn == 0) {
                return attacks.request("POST", TAGS, "{\"name\":\"t" + number + "\"}", JSON, editor);
            }
            if (turn == 2) {
                return attacks.request("DELETE", TAGS + "/" + tag + "&force=true", "", editor);
            }
            tag = last.status() == 201 ? last.json().path("id").longValue() : tag;
            return batch(
                    post -> "{\"tags\":[" + tag + "]}", site.posts().stream().mapToLong(Long::longValue), editor);
        }
    }

    private List<Attack> workspaces() {
        String longOnes = documents(200, "A document. ".repeat(1_700));
        return List.of(
                attacks.sent(
                        "pages of documents",
                        n -> attacks.request("GET", DOCUMENTS + "?per_page=100", "", workspace(1))),
                attacks.sent(
                        "long bodies of documents",
                        n -> attacks.request("POST", DOCUMENTS, longOnes, JSON, workspace(3))),
                attacks.sent(
                        "bodies of documents that are small things",
                        n -> attacks.request(
                                "POST",
                                DOCUMENTS,
                                "{\"documents\":[" + "{},".repeat(300_000) + "{}]}",
                                JSON,
                                workspace(4))),
                attacks.inSteps("erasures", new Erasing()));
    }

    private static String workspace(int number) {
        return "Authorization: Bearer " + BesiegedServer.workspaceToken(number);
    }

    /** Begins a conversation, leaves much in it, and has it erased. */
    private final class Erasing implements RequestsOneAfterTheOther.Next {
        private static final int LEFT = 40;

        private String token = "";
        private int step;

        @Override
        public byte[] after(int number, Answer last) {
            int turn = step++ % (LEFT + 2);
            if (turn == 0) {
                return attacks.request("POST", WIDGET + "init", "{}", JSON);
            }
            if (turn == 1) {
                token = "Authorization: Bearer "
                        + (last.status() == 200 ? last.json().path("token").asString() : "");
            }
            return turn <= LEFT
                    ? attacks.request("POST", WIDGET + "events", "{\"name\":\"opened\"}", JSON, token)
                    : attacks.request("POST", WIDGET + "conversation/erase", "", token);
        }
    }

    private List<Attack> files() {
        String noise = new String(noise(SMALL_SIDE), StandardCharsets.ISO_8859_1);
        String source = "{\"src\":\"" + further.file() + "\",\"rotation\":";
        return List.of(
                attacks.sent(
                        "pictures of one name",
                        n -> attacks.request(
                                "POST",
                                MEDIA,
                                noise,
                                "Content-Type: image/png",
                                "Content-Disposition: attachment; filename=\"same.png\"",
                                author)),
                attacks.sent(
                        "edits of a picture",
                        n -> attacks.request(
                                "POST",
                                MEDIA + "/" + further.picture() + "/edit",
                                source + n % 90 + "}",
                                JSON,
                                author)));
    }

    private Attack manyAtOnce(String name, IntFunction<byte[]> request) {
        return new ManyAtOnce(IntStream.range(0, MANY)
                .mapToObj(i -> attacks.sent(name, n -> request.apply(i * 1_000_000 + n)))
                .toList());
    }
}

package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What writers send makes the server keep and compute no more than it was worth. */
@OnDatabase(Database.H2)
class ItemBoundsTest {

    /** What a text has, unless it is set. */
    private static final int MOST_TEXT = 524_288;

    private final SeededServer server;
    private final SiteClient site;

    ItemBoundsTest(SeededServer server) {
        this.server = server;
        site = server.site();
    }

    private JsonNode make(String by, ObjectNode fields) {
        Answer answer = site.as(by).post("/cms/v2/posts", fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    private static ObjectNode fields() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A megabyte of it would be taken apart for nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"posts", "media"})
    void whatNobodyTypesIsNotSearchedFor(String collection) {
        String all = total(collection, fields());

        assertThat(total(collection, fields().put("search", "<b>".repeat(4_000) + "nowhere")))
                .isEqualTo(all);
        assertThat(total(collection, fields().put("search", "<b>".repeat(40) + "nowhere")))
                .isEqualTo("0");
    }

    /** A contributor's draft of the year 2500 took all lists from everybody: Java's nanoseconds end in 2262, and the index counted by them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0001-01-01T00:00:00",
                "1600-01-01T00:00:00",
                "1969-12-31T23:59:59",
                "2500-01-01T00:00:00",
                "9999-12-31T23:59:59"
            })
    void anyMomentFindsItsPlace(String moment) {
        String id = make(
                        "contributor",
                        fields().put("title", "When").put("status", "draft").put("date", moment))
                .path("id")
                .asString();

        assertThat(drafts(id, "")).hasSize(1);
        assertThat(drafts(id, "&after=0000-00-00T00:00:00")).hasSize(1);
        assertThat(drafts(id, "&after=" + moment)).isEmpty();
        assertThat(drafts(id, "&before=" + moment)).isEmpty();
        assertThat(drafts(id, "&modified_before=9999-12-31T24:59:60")).hasSize(1);
        assertThat(site.get("/cms/v2/categories").status()).isEqualTo(200);
    }

    private JsonNode drafts(String include, String more) {
        Answer answer = site.as("editor").get("/cms/v2/posts?status=draft&include=" + include + more);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private JdbcClient database() {
        return JdbcClient.create(server.context().getBean(DataSource.class));
    }

    /** Gives an item a text from when texts might be longer. */
    private void lengthen(JsonNode item, String piece, int times) {
        database()
                .sql("update item_text set content = repeat(:piece, :times), content_rendered = repeat(:piece, :times)"
                        + " where item_id = :id")
                .param("piece", piece)
                .param("times", times)
                .param("id", item.path("id").longValue())
                .update();
    }

    private String total(String collection, ObjectNode arguments) {
        return site.as("editor")
                .post("/cms/v2/" + collection + "?_method=GET", arguments)
                .header("X-WP-Total")
                .orElse("none");
    }

    /** Each update copies all the words, so that few bytes would store many: 2 MiB of them stay, and 100 wordings. */
    @ParameterizedTest
    @CsvSource({"600000, 8, 3", "900000, 6, 2", "10, 104, 100"})
    void revisionsOfAnItemAreBounded(int length, int updates, int kept) {
        JsonNode item = make("contributor", fields().put("title", "0").put("content", "a"));
        lengthen(item, "a", length);
        long id = item.path("id").longValue();
        for (int i = 1; i <= updates; i++) {
            Answer changed = site.as("contributor")
                    .post("/cms/v2/posts/" + id + "?_fields=id", fields().put("title", "Title " + i));
            assertThat(changed.status()).isEqualTo(200);
        }

        Answer all = site.as("contributor").get("/cms/v2/posts/" + id + "/revisions?_fields=title");

        assertThat(all.header("X-WP-Total")).contains("" + kept);
        assertThat(all.text("/0/title/rendered")).isEqualTo("Title " + updates);
        assertThat(all.json().path(kept - 1).at("/title/rendered").asString())
                .isEqualTo("Title " + (updates - kept + 1));
    }

    /** Whatever it is, and however it is sent. */
    @ParameterizedTest
    @CsvSource({"posts, title", "posts, content", "pages, excerpt", "tags, description"})
    void eachTextHasABound(String collection, String name) {
        String route = "/cms/v2/" + collection;
        String text = "x".repeat(MOST_TEXT + 1);
        byte[] form = (name + "=" + text).getBytes(StandardCharsets.UTF_8);

        assertTooLong(site.as("editor").post(route, fields().put(name, text)), MOST_TEXT);
        assertTooLong(
                site.as("editor")
                        .call("POST", route)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .body(form)
                        .send(),
                MOST_TEXT);
    }

    /** A body with a file may be as long as the file. */
    @Test
    void thoseBesideAFileHaveOneTogether() {
        String text = "x".repeat(MOST_TEXT);
        StringBuilder parts = new StringBuilder();
        for (String name : List.of("title", "caption", "description")) {
            parts.append("--B\r\nContent-Disposition: form-data; name=")
                    .append(name)
                    .append("\r\n\r\n");
            parts.append(text).append("\r\n");
        }
        Answer answer = site.as("editor")
                .call("POST", "/cms/v2/media")
                .header("Content-Type", "multipart/form-data; boundary=B")
                .body(parts.append("--B--\r\n").toString().getBytes(StandardCharsets.UTF_8))
                .send();

        assertTooLong(answer, 1 << 20);
    }

    @Test
    void aBatchTakesAsManyTextsAsItHasMembers() {
        ObjectNode batch = fields();
        for (int i = 0; i < 25; i++) {
            batch.withArray("requests")
                    .addObject()
                    .put("path", "/cms/v2/posts")
                    .putObject("body")
                    .put("title", "Article " + i)
                    .put("content", "ten letters".repeat(930));
        }

        JsonNode answers = site.as("editor").post("/batch/v1", batch).json().path("responses");

        delete(answers);
        assertThat(answers.valueStream().map(answer -> answer.path("status").intValue()))
                .hasSize(25)
                .containsOnly(201);
    }

    private void delete(JsonNode answersOfABatch) {
        answersOfABatch.forEach(answer -> site.as("editor")
                .delete("/cms/v2/posts/" + answer.at("/body/id").asString("0") + "?force=true"));
    }

    /** Half a megabyte of blocks is a long article, and is kept, shown and found like any other. */
    @ParameterizedTest
    @ValueSource(strings = {"contributor", "editor"})
    void aLongArticleIsTaken(String account) {
        String block = """
                <!-- wp:paragraph -->
                <p>He said "yes" to <strong>all</strong> of it &amp; left.</p>
                <!-- /wp:paragraph -->

                """;
        String content = block.repeat(500 * 1024 / block.length());

        JsonNode item = make(account, fields().put("title", "Long").put("content", content));

        assertThat(item.at("/content/raw").stringValue().strip()).isEqualTo(content.strip());
        String rendered = item.at("/content/rendered").stringValue();
        assertThat(rendered).hasSizeGreaterThan(300 * 1024);
        assertThat(rendered.substring(0, 150)).contains("He said &#8220;yes&#8221; to <strong>all</strong> of it");
    }

    @Test
    void whatWasReadMayBeSentBackAsAWhole() {
        JsonNode item = make("editor", fields().put("content", "word ".repeat(MOST_TEXT / 16)));
        String address = "/cms/v2/posts/" + item.path("id").longValue();
        ObjectNode read =
                (ObjectNode) site.as("editor").get(address + "?context=edit").json();
        ((ObjectNode) read.path("title")).put("raw", "Another title");

        Answer written = site.as("editor").post(address, read);

        assertThat(written.status()).as(written.text()).isEqualTo(200);
        assertThat(written.text("/title/raw")).isEqualTo("Another title");
    }

    /** Marks are spelled longer than they are written: of an item, of what is saved beside one, and in notes. */
    @Test
    void whatIsShownHasABound() {
        ObjectNode marks = fields().put("content", "&".repeat(MOST_TEXT / 2));
        String path = "/cms/v2/posts/"
                + make("contributor", fields().put("title", "Mine").put("status", "pending"))
                        .path("id")
                        .asString();
        ObjectNode notes = fields();
        String letters = "\u6587".repeat(MOST_TEXT / 2);
        notes.putObject("meta").put("footnotes", "[{\"id\": \"a\", \"content\": \"" + letters + "\"}]");

        assertTooLong(site.as("editor").post("/cms/v2/posts", marks), 2 * MOST_TEXT);
        for (ObjectNode dear : List.of(marks, notes)) {
            assertTooLong(site.as("contributor").post(path, dear), 2 * MOST_TEXT);
            assertTooLong(site.as("contributor").post(path + "/autosaves", dear), 2 * MOST_TEXT);
        }
    }

    /** Nobody shows more by splitting it, into the texts of an item or into the members of a batch; and nothing is rendered for nothing. */
    @Test
    void whatIsShownTogetherHasABoundToo() {
        String marks = "&".repeat(MOST_TEXT / 8 - 100);
        String most = "&".repeat(MOST_TEXT / 3 - 100);
        ObjectNode batch = fields();
        for (int i = 0; i < 8; i++) {
            batch.withArray("requests")
                    .addObject()
                    .put("path", "/cms/v2/posts")
                    .putObject("body")
                    .put("title", "One")
                    .put("content", marks);
        }

        assertTooLong(
                site.as("editor")
                        .post(
                                "/cms/v2/posts",
                                fields().put("title", most).put("content", most).put("excerpt", most)),
                4 * MOST_TEXT);
        JsonNode answers = site.as("editor").post("/batch/v1", batch).json().path("responses");
        delete(answers);

        assertThat(answers.valueStream().map(answer -> answer.path("status").intValue()))
                .containsExactly(201, 201, 201, 201, 201, 400, 400, 400);
    }

    private static void assertTooLong(Answer answer, int most) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("rest_content_too_long");
        assertThat(answer.text("/message")).contains(" " + most + " ");
    }

    @Test
    void longSlugsFindANumberOfTheirOwn() {
        Set<String> slugs = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            slugs.add(make("editor", fields().put("title", "word-".repeat(50)).put("status", "publish"))
                    .path("slug")
                    .asString());
        }

        assertThat(slugs).hasSize(4).allMatch(slug -> slug.length() <= 200);
    }
}

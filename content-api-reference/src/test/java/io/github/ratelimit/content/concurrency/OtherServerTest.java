package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import io.github.ratelimit.content.server.store.ContentGeneration;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another server does to the same database, while a request is under way: here a connection beside the server's own. */
@OnDatabase(Database.POSTGRESQL)
final class OtherServerTest {
    private static final String WAITING = "from pg_stat_activity where wait_event_type = 'Lock'";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SeededServer server;
    private final SiteClient site;
    private final Connection other;
    private final Connection watching;

    OtherServerTest(SeededServer server) throws SQLException {
        this.server = server;
        this.site = server.site();
        this.other = connect();
        this.watching = connect();
    }

    private Connection connect() throws SQLException {
        var settings = server.context().getEnvironment();
        return DriverManager.getConnection(
                settings.getRequiredProperty("spring.datasource.url"),
                settings.getRequiredProperty("spring.datasource.username"),
                settings.getRequiredProperty("spring.datasource.password"));
    }

    @BeforeEach
    void begin() throws SQLException {
        other.setAutoCommit(false);
    }

    @AfterEach
    void end() throws SQLException {
        other.rollback();
        other.close();
        watching.close();
        threads.shutdownNow();
    }

    /** Two that are moved below each other, each by a server of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"/cms/v2/pages", "/cms/v2/categories"})
    void nothingStandsBelowItself(String route) throws SQLException {
        long one = make(route, "{\"name\": \"One\", \"title\": \"One\"}");
        long two = make(route, "{\"name\": \"Two\", \"title\": \"Two\"}");
        String table = route.endsWith("pages") ? "item" : "term";
        write("update " + table + " set parent_id = " + one + " where id = " + two);

        var moved = beside(() -> change(route + "/" + one, "{\"parent\": " + two + "}"));
        other.commit();

        assertThat(moved.join().status()).as(moved.join().text()).isEqualTo(200);
        assertThat(moved.join().number("/parent")).isZero();
    }

    @Test
    void termThatIsDeletedMeanwhileSortsNothing() throws SQLException {
        long term = make("/cms/v2/categories", "{\"name\": \"Soon gone\"}");
        write("delete from term where id = " + term);

        var made = beside(() -> change("/cms/v2/posts", "{\"title\": \"Sorted\", \"categories\": [" + term + ", 1]}"));
        other.commit();

        assertThat(made.join().status()).as(made.join().text()).isEqualTo(201);
        assertThat(made.join().json().path("categories").toString()).isEqualTo("[1]");
    }

    /** Each write of a contributor waits for an editor, who publishes the post; a file gets another owner meanwhile. */
    @ParameterizedTest
    @CsvSource({
        "POST, ",
        "DELETE, ",
        "DELETE, ?force=true",
        "POST, /autosaves",
        "DELETE, /revisions/?force=true",
        "POST, media",
        "DELETE, media?force=true",
        "POST, media/post-process?action=create-image-subsizes",
    })
    void rightToWriteIsAskedForWhereItIsWritten(String method, @Nullable String write) throws SQLException {
        boolean isMedia = write != null && write.startsWith("media");
        String writer = isMedia ? "author" : "contributor";
        String item = "/cms/v2/" + (isMedia ? "media" : "posts");
        Answer made = isMedia
                ? site.as(writer)
                        .call("POST", item)
                        .file("own.png", "image/png", PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"))
                        .send()
                : site.as(writer).post(item, "{\"title\": \"Own\", \"status\": \"pending\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        long id = made.id();
        item += "/" + id;
        String route = item + (write == null ? "" : write.replace("media", ""));
        if (route.contains("/revisions")) {
            site.as(writer).post(item, "{\"title\": \"Own more\"}");
            route = route.replace("?", revision(item) + "?");
        }
        if (route.contains("post-process")) {
            run("update item set file_details = replace(file_details, '\"medium\"', '\"other\"') where id = " + id);
            other.commit();
        }
        String target = route;
        write(
                isMedia
                        ? "update item set author_id = 1 where id = " + id
                        : "update item set status = 'publish' where id = " + id);

        var rejected = beside(() -> site.as(writer)
                .call(method, target)
                .json("{\"title\": \"Smuggled\"}")
                .send());
        other.commit();

        assertThat(rejected.join().status()).as(rejected.join().text()).isEqualTo(403);
        assertThat(site.get(item).text()).doesNotContain("Smuggled");
    }

    /** An author may change what is published, and so the text is saved beside it. */
    @Test
    void autosaveChangesNoDraftThatWasPublishedMeanwhile() throws SQLException {
        String author = "author";
        long id = site.as(author).post("/cms/v2/posts", "{\"title\": \"Own\"}").id();
        String post = "/cms/v2/posts/" + id;
        write("update item set status = 'publish' where id = " + id);

        var saved = beside(() -> site.as(author).post(post + "/autosaves", "{\"title\": \"Unfinished\"}"));
        other.commit();

        assertThat(saved.join().status()).as(saved.join().text()).isEqualTo(200);
        assertThat(saved.join().number("/parent")).isEqualTo(id);
        assertThat(site.get(post).text()).contains("Own").doesNotContain("Unfinished");
    }

    private long revision(String item) {
        return site.as("admin").get(item + "/revisions").number("/0/id");
    }

    /** A visitor reads the post while its revision is being deleted, and again afterwards. */
    @Test
    void revisionThatWasDeletedIsServedToNobody() throws SQLException {
        String post = "/cms/v2/posts/" + make("/cms/v2/posts", "{\"title\": \"Revised\", \"status\": \"publish\"}");
        change(post, "{\"content\": \"Once\"}");
        long revision = revision(post);
        run("update item set menu_order = menu_order where id = " + revision);

        var deleted = beside(() -> site.as("admin").delete(post + "/revisions/" + revision + "?force=true"));
        String before = site.get(post).text();
        other.rollback();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(before).contains("/revisions/" + revision);
        assertThat(site.get(post).text()).doesNotContain("/revisions/" + revision);
    }

    /** Cancelled, as by the time limit of statements; or with the connection, as by the end of the database. */
    @ParameterizedTest
    @ValueSource(strings = {"pg_cancel_backend", "pg_terminate_backend"})
    void whatTheDatabaseGivesUpIsServedTheNextTime(String way) throws SQLException {
        long post = make("/cms/v2/posts", "{\"title\": \"Held\"}");
        String token = server.context().getBean(Workspaces.class).issueToken("site-" + way);
        run("update item set menu_order = menu_order where id = " + post);
        run("update sync_workspace set revision = revision where id = 'site-" + way + "'");
        String document = "{\"documents\": [{\"id\": \"a\", \"title\": \"Held\"}]}";

        for (boolean isContent : new boolean[] {true, false}) {
            Supplier<Answer> write = isContent
                    ? () -> change("/cms/v2/posts/" + post, "{\"title\": \"Written\"}")
                    : () -> site.callAddress("POST", site.base() + "/v1/cms/documents")
                            .header("Authorization", "Bearer " + token)
                            .json(document)
                            .send();
            var given = beside(write);
            watched("select count(" + way + "(pid)) " + WAITING);

            assertUnavailable(given.join(), isContent ? "rest_unavailable" : "unavailable");
            if (!isContent) {
                other.rollback();
            }
            assertThat(isContent ? 200 : write.get().status()).isEqualTo(200);
        }
    }

    /** What a server keeps of its answers ends with what the other one writes. */
    @Test
    void serverEvictsWhatAnotherOneChanged() {
        var settings = server.context().getEnvironment();
        List<String> arguments =
                new ArrayList<>(List.of("--content-api.publish-interval=1h", "--content-api.cache.ttl=30s"));
        for (String name : List.of("url", "username", "password")) {
            arguments.add(
                    "--spring.datasource." + name + "=" + settings.getRequiredProperty("spring.datasource." + name));
        }
        try (ReferenceServer second = ReferenceServer.start(Database.H2, arguments.toArray(String[]::new))) {
            SiteClient reading = new SiteClient(second.base());
            ContentGeneration generation = second.context().getBean(ContentGeneration.class);
            long tag = make("/cms/v2/tags", "{\"name\": \"First\"}");
            String post = "/cms/v2/posts/"
                    + make("/cms/v2/posts", "{\"title\": \"First\", \"status\": \"publish\", \"tags\": [" + tag + "]}");
            generation.poll();

            String before = shown(reading, post);
            assertThat(before).contains("First");
            change(post, "{\"title\": \"Second\"}");
            assertThat(shown(site, post)).contains("Second");
            assertThat(shown(reading, post)).as("kept").isEqualTo(before);
            generation.poll();
            assertThat(shown(reading, post)).contains("Second");

            change("/cms/v2/tags/" + tag, "{\"name\": \"Renamed\"}");
            generation.poll();
            assertThat(shown(reading, post)).contains("Renamed");

            change(post, "{\"status\": \"draft\"}");
            generation.poll();
            String hidden = shown(reading, "/cms/v2/posts");
            site.as("admin").delete(post + "?force=true");
            generation.poll();
            Answer kept = reading.get("/cms/v2/posts?_embed=1");
            assertThat(kept.text()).isEqualTo(hidden);
            assertThat(kept.header("X-Content-Cache"))
                    .as("a draft is not public")
                    .contains("hit");
        }
    }

    private static String shown(SiteClient site, String target) {
        return site.get(target + "?_embed=1").text();
    }

    private static void assertUnavailable(Answer answer, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).contains("5");
        assertThat(answer.text()).contains("\"" + code + "\"");
    }

    /** Sends a request, and returns when it waits for what the other server holds, or was answered without. */
    private CompletableFuture<Answer> beside(Supplier<Answer> request) throws SQLException {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(request, threads);
        while (!answer.isDone() && watched("select count(*) " + WAITING) < 1) {
            Thread.onSpinWait();
        }
        return answer;
    }

    private long make(String route, String fields) {
        Answer made = change(route, fields);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.id();
    }

    private Answer change(String route, String fields) {
        return site.as("admin").post(route, fields);
    }

    /** Writes as another server does. */
    private void write(String sql) throws SQLException {
        run("select number from content_generation where id = 1 for update");
        run(sql);
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute(sql);
        }
    }

    private long watched(String sql) throws SQLException {
        try (Statement statement = watching.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}

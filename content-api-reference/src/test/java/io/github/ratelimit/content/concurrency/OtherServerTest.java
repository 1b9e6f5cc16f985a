package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another server does to the same database, while a request is under way: here a connection beside the server's own. */
@OnDatabase(Database.POSTGRESQL)
@ExtendWith(SeededServer.Provider.class)
final class OtherServerTest {
    private static final String WAITING = "from pg_stat_activity where wait_event_type = 'Lock'";

    private final Account admin = Accounts.standard().get("admin");
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
        assertThat(moved.join().json().path("parent").longValue()).isZero();
        delete(route + "/" + two);
        delete(route + "/" + one);
    }

    @Test
    void termThatIsDeletedMeanwhileSortsNothing() throws SQLException {
        long term = make("/cms/v2/categories", "{\"name\": \"Soon gone\"}");
        write("delete from term where id = " + term);

        var made = beside(() -> change("/cms/v2/posts", "{\"title\": \"Sorted\", \"categories\": [" + term + ", 1]}"));
        other.commit();

        assertThat(made.join().status()).as(made.join().text()).isEqualTo(201);
        assertThat(made.join().json().path("categories").toString()).isEqualTo("[1]");
        delete("/cms/v2/posts/" + made.join().json().path("id").longValue());
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
        Account writer = Accounts.standard().get(isMedia ? "author" : "contributor");
        String item = "/cms/v2/" + (isMedia ? "media" : "posts");
        Answer made = isMedia
                ? site.call("POST", item)
                        .as(writer)
                        .header("Content-Disposition", "attachment; filename=\"own.png\"")
                        .header("Content-Type", "image/png")
                        .body(PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"))
                        .send()
                : send(writer, "POST", item, "{\"title\": \"Own\", \"status\": \"pending\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        long id = made.json().path("id").longValue();
        item += "/" + id;
        String route = item + (write == null ? "" : write.replace("media", ""));
        if (route.contains("/revisions")) {
            send(writer, "POST", item, "{\"title\": \"Own more\"}");
            route = route.replace("?", revision(item) + "?");
        }
        if (route.contains("post-process")) {
            run("update item set file_details = replace(file_details, '\"medium\"', '\"other\"') where id = " + id);
            other.commit();
        }
        String address = site.base() + "/index.php?rest_route=" + route.replace('?', '&');
        write(
                isMedia
                        ? "update item set author_id = 1 where id = " + id
                        : "update item set status = 'publish' where id = " + id);

        var rejected = beside(() -> site.callAddress(method, address)
                .as(writer)
                .json(Json.read("{\"title\": \"Smuggled\"}"))
                .send());
        other.commit();

        assertThat(rejected.join().status()).as(rejected.join().text()).isEqualTo(403);
        assertThat(site.call("GET", item).send().text()).doesNotContain("Smuggled");
        delete(item);
    }

    /** An author may change what is published, and so the text is saved beside it. */
    @Test
    void autosaveChangesNoDraftThatWasPublishedMeanwhile() throws SQLException {
        Account author = Accounts.standard().get("author");
        long id = send(author, "POST", "/cms/v2/posts", "{\"title\": \"Own\"}")
                .json()
                .path("id")
                .longValue();
        String post = "/cms/v2/posts/" + id;
        write("update item set status = 'publish' where id = " + id);

        var saved = beside(() -> send(author, "POST", post + "/autosaves", "{\"title\": \"Unfinished\"}"));
        other.commit();

        assertThat(saved.join().status()).as(saved.join().text()).isEqualTo(200);
        assertThat(saved.join().json().path("parent").longValue()).isEqualTo(id);
        assertThat(site.call("GET", post).send().text()).contains("Own").doesNotContain("Unfinished");
        delete(post);
    }

    private long revision(String item) {
        return site.call("GET", item + "/revisions")
                .as(admin)
                .send()
                .json()
                .path(0)
                .path("id")
                .longValue();
    }

    /** A visitor reads the post while its revision is being deleted, and again afterwards. */
    @Test
    void revisionThatWasDeletedIsServedToNobody() throws SQLException {
        String post = "/cms/v2/posts/" + make("/cms/v2/posts", "{\"title\": \"Revised\", \"status\": \"publish\"}");
        change(post, "{\"content\": \"Once\"}");
        long revision = revision(post);
        run("update item set menu_order = menu_order where id = " + revision);

        var deleted = beside(() -> send(admin, "DELETE", post + "/revisions/" + revision, "{\"force\": true}"));
        String before = site.call("GET", post).send().text();
        other.rollback();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(before).contains("/revisions/" + revision);
        assertThat(site.call("GET", post).send().text()).doesNotContain("/revisions/" + revision);
        delete(post);
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
        delete("/cms/v2/posts/" + post);
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
        return made.json().path("id").longValue();
    }

    private Answer change(String route, String fields) {
        return send(admin, "POST", route, fields);
    }

    private Answer send(Account account, String method, String route, String fields) {
        return site.call(method, route).as(account).json(fields).send();
    }

    private void delete(String route) {
        site.call("DELETE", route, Query.of("force", "true")).as(admin).send();
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

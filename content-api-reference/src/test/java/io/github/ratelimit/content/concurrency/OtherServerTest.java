package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import io.github.ratelimit.content.server.store.Pieces;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What another server does to the same database, while a request is under way: here a connection beside the server's own. */
@OnDatabase(Database.POSTGRESQL)
@ExtendWith(SeededServer.Provider.class)
final class OtherServerTest {
    /** Gives each item its row of texts. */
    private static final String TEXTS =
            "insert into item_text (item_id) select id from item where id not in (select item_id from item_text)";

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
        run("update " + table + " set parent_id = " + one + " where id = " + two);

        var moved = beside(() -> change(route + "/" + one, "{\"parent\": " + two + "}"));
        other.commit();

        assertThat(moved.join().status()).as(moved.join().text()).isEqualTo(200);
        assertThat(moved.join().json().path("parent").longValue()).isZero();
        delete(route + "/" + two);
        delete(route + "/" + one);
    }

    /** While the page is deleted below which it stood, and another one below that is still waited for. */
    @Test
    void whatIsMovedAwayMeanwhileStaysThere() throws SQLException {
        long above = make("/cms/v2/pages", "{\"title\": \"Above\"}");
        long elsewhere = make("/cms/v2/pages", "{\"title\": \"Elsewhere\"}");
        String below = "\", \"status\": \"publish\", \"parent\": " + above + "}";
        long held = make("/cms/v2/pages", "{\"title\": \"Held" + below);
        long moving = make("/cms/v2/pages", "{\"title\": \"Moving" + below);
        run("update item set pings_open = pings_open where id = " + held);

        var deleted = beside(() -> deleted("/cms/v2/pages/" + above));
        assertThat(change("/cms/v2/pages/" + moving, "{\"parent\": " + elsewhere + "}")
                        .status())
                .isEqualTo(200);
        other.rollback();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(parent("/cms/v2/pages/" + moving)).isEqualTo(elsewhere);
        List.of(moving, held, elsewhere).forEach(id -> delete("/cms/v2/pages/" + id));
    }

    @Test
    void categoryThatIsMovedAwayMeanwhileStaysThere() throws SQLException {
        long above = category("Above", 0);
        long elsewhere = category("Elsewhere", 0);
        long moving = category("Moving", above);
        run("update term set parent_id = " + elsewhere + " where id = " + moving);

        var deleted = beside(() -> deleted("/cms/v2/categories/" + above));
        other.commit();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(parent("/cms/v2/categories/" + moving)).isEqualTo(elsewhere);
        List.of(moving, elsewhere).forEach(id -> delete("/cms/v2/categories/" + id));
    }

    /** The other one deletes what stands between the two, and what stood below that is put below what is deleted here. */
    @Test
    void categoriesThatAreDeletedAtOnceLeaveNothingBelowNothing() throws SQLException {
        long above = category("Above", 0);
        long between = category("Between", above);
        long deepest = category("Deepest", between);
        run("update term set parent_id = " + above + " where id = " + deepest);
        run("delete from term where id = " + between);

        var deleted = beside(() -> deleted("/cms/v2/categories/" + above));
        other.commit();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(parent("/cms/v2/categories/" + deepest)).isZero();
        delete("/cms/v2/categories/" + deepest);
    }

    /** The upper one waits for a page of another branch, and has not come to the one between yet. */
    @Test
    void pagesThatAreDeletedAtOnceLeaveNothingBelowNothing() throws SQLException {
        String page = "{\"title\": \"Page\", \"status\": \"publish\", \"parent\": ";
        long above = make("/cms/v2/pages", page + "0}");
        long held = make("/cms/v2/pages", page + above + "}");
        long between = make("/cms/v2/pages", page + above + "}");
        long deepest = make("/cms/v2/pages", page + between + "}");
        run("update item set pings_open = pings_open where id = " + held);

        var upper = beside(() -> deleted("/cms/v2/pages/" + above));
        var lower = beside(() -> deleted("/cms/v2/pages/" + between), 2);
        other.rollback();

        assertThat(upper.join().status()).as(upper.join().text()).isEqualTo(200);
        assertThat(lower.join().status()).as(lower.join().text()).isEqualTo(200);
        assertThat(parent("/cms/v2/pages/" + deepest)).isZero();
        List.of(deepest, held).forEach(id -> delete("/cms/v2/pages/" + id));
    }

    /** Whoever puts something below it waits for the deletion, and finds nothing to put it below. */
    @Test
    void nothingIsPutBelowWhatIsBeingDeleted() throws SQLException {
        long above = make("/cms/v2/pages", "{\"title\": \"Above\"}");
        String below = "{\"title\": \"Below\", \"parent\": " + above + "}";
        long held = make("/cms/v2/pages", below);
        run("update item set pings_open = pings_open where id = " + held);

        var deleted = beside(() -> deleted("/cms/v2/pages/" + above));
        var late = beside(() -> change("/cms/v2/pages", below), 2);
        other.rollback();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(late.join().status()).as(late.join().text()).isEqualTo(400);
        delete("/cms/v2/pages/" + held);
    }

    /** Whoever lets a post show it waits for the deletion, and finds nothing to be shown. */
    @Test
    void noPictureIsShownThatIsBeingDeleted() throws SQLException {
        run(
                "insert into item (kind, status, author_id, slug, slug_scope, file, mime_type, published_at, modified_at)"
                        + " values ('attachment', 'inherit', 0, 'soon-gone', 'attachment', 'soon-gone', 'image/png', now(), now())");
        run(TEXTS);
        other.commit();
        long picture = watched("select id from item where slug = 'soon-gone'");
        String showing = "{\"title\": \"Showing\", \"featured_media\": " + picture + "}";
        long held = make("/cms/v2/posts", showing);
        run("update item set pings_open = pings_open where id = " + held);

        var deleted = beside(() -> deleted("/cms/v2/media/" + picture));
        var late = beside(() -> change("/cms/v2/posts", showing), 2);
        other.rollback();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        JsonNode made = late.join().json();
        assertThat(made.path("featured_media").longValue()).as(made.toString()).isZero();
        assertThat(watched("select count(*) from item where featured_media = " + picture))
                .isZero();
        List.of(held, made.path("id").longValue()).forEach(id -> delete("/cms/v2/posts/" + id));
    }

    /** It is named in place of a picture, and shown by nobody: nobody has to keep it. */
    @Test
    void whoNamesWhatIsNoPictureDoesNotWaitForIt() throws SQLException {
        long held = make("/cms/v2/posts", "{\"title\": \"Held\"}");
        run("update item set pings_open = pings_open where id = " + held);

        Answer made = change("/cms/v2/posts", "{\"title\": \"Naming\", \"featured_media\": " + held + "}");
        other.rollback();

        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().path("featured_media").longValue()).isZero();
        List.of(held, made.json().path("id").longValue()).forEach(id -> delete("/cms/v2/posts/" + id));
    }

    @Test
    void postThatIsPublishedWhileItsCategoryIsDeletedIsSortedAsPublished() throws SQLException {
        long category = category("Soon gone", 0);
        long post = make("/cms/v2/posts", "{\"title\": \"Draft\", \"categories\": [" + category + "]}");
        run("update item set status = 'publish', version = version + 1 where id = " + post);
        run("update item_term set published = true where item_id = " + post);

        var deleted = beside(() -> deleted("/cms/v2/categories/" + category));
        other.commit();

        assertThat(deleted.join().status()).as(deleted.join().text()).isEqualTo(200);
        assertThat(watched("select count(*) from item_term where term_id = 1 and published and item_id = " + post))
                .isOne();
        delete("/cms/v2/posts/" + post);
    }

    /** The last of many that stand below it is held by another server for longer than a statement may take. */
    @Test
    void deletionThatEndsInBetweenIsFinishedByARepeat() throws SQLException {
        int many = 2 * Pieces.ITEMS + 1;
        long page = make("/cms/v2/pages", "{\"title\": \"Above\", \"status\": \"publish\"}");
        String below = "from item where kind = 'page' and slug like 'below-many-%' and parent_id = ";
        run(
                "insert into item (kind, status, parent_id, slug, slug_scope, published_at, modified_at) select 'page', 'publish', "
                        + page + ", 'below-many-' || n, 'page/" + page + "', now(), now() from generate_series(1, "
                        + many
                        + ") as n");
        run(TEXTS);
        other.commit();
        run("update item set version = version where id = (select max(id) " + below + page + ")");
        Supplier<Answer> delete = () -> deleted("/cms/v2/pages/" + page);

        var ended = beside(delete);
        assertThat(watched("select count(*) " + below + page)).isOne();
        watched("select count(pg_cancel_backend(pid)) " + WAITING);
        assertUnavailable(ended.join(), "rest_unavailable");
        other.rollback();
        assertThat(site.call("GET", "/cms/v2/pages/" + page).send().status()).isEqualTo(200);

        assertThat(delete.get().status()).isEqualTo(200);
        assertThat(watched("select count(*) " + below + 0)).isEqualTo(many);
        run("delete from item where slug like 'below-many-%'");
        other.commit();
    }

    @Test
    void termThatIsDeletedMeanwhileSortsNothing() throws SQLException {
        long term = make("/cms/v2/categories", "{\"name\": \"Soon gone\"}");
        run("delete from term where id = " + term);

        var made = beside(() -> change("/cms/v2/posts", "{\"title\": \"Sorted\", \"categories\": [" + term + ", 1]}"));
        other.commit();

        assertThat(made.join().status()).as(made.join().text()).isEqualTo(201);
        assertThat(made.join().json().path("categories").toString()).isEqualTo("[1]");
        delete("/cms/v2/posts/" + made.join().json().path("id").longValue());
    }

    /** The other server notes a change of its own, so this one's is not ready to be committed. */
    @Test
    void smallerPicturesAreStoredTogetherWithTheNoteThatTheirItemChanged() throws SQLException {
        Answer uploaded = site.call("POST", "/cms/v2/media")
                .as(admin)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"noted.png\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"))
                .send();
        assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(201);
        long file = uploaded.json().path("id").longValue();
        run("update item set file_details = replace(file_details, '\"thumbnail\":', '\"other\":') where id = " + file);
        other.commit();
        run("update content_generation set number = number");

        var completed = beside(
                () -> change("/cms/v2/media/" + file + "/post-process", "{\"action\": \"create-image-subsizes\"}"));
        String stored = "select count(*) from item where file_details like '%\"thumbnail\":%' and id = " + file;
        assertThat(watched(stored)).isZero();
        other.rollback();

        assertThat(completed.join().status()).as(completed.join().text()).isEqualTo(200);
        assertThat(watched(stored)).isOne();
        delete("/cms/v2/media/" + file);
    }

    /** Cancelled, as by the time limit of statements; or with the connection, as by the end of the database. */
    @ParameterizedTest
    @ValueSource(strings = {"pg_cancel_backend", "pg_terminate_backend"})
    void whatTheDatabaseGivesUpIsServedTheNextTime(String way) throws SQLException {
        long post = make("/cms/v2/posts", "{\"title\": \"Held\"}");
        String token = server.context().getBean(Workspaces.class).issueToken("site-" + way);
        run("update item set version = version where id = " + post);
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
        return beside(request, 1);
    }

    private CompletableFuture<Answer> beside(Supplier<Answer> request, int waiting) throws SQLException {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(request, threads);
        while (!answer.isDone() && watched("select count(*) " + WAITING) < waiting) {
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
        return site.call("POST", route).as(admin).json(fields).send();
    }

    private void delete(String route) {
        deleted(route);
    }

    private Answer deleted(String route, String... more) {
        Query query = more.length == 0 ? Query.of("force", "true") : Query.of("force", "true", more[0], more[1]);
        return site.call("DELETE", route, query).as(admin).send();
    }

    private long category(String name, long parent) {
        return make("/cms/v2/categories", "{\"name\": \"" + name + "\", \"parent\": " + parent + "}");
    }

    private long parent(String route) {
        return site.call("GET", route).send().json().path("parent").longValue();
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

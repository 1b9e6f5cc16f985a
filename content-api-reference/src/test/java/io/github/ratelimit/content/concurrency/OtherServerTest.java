package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
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
        return site.call("POST", route).as(admin).json(fields).send();
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

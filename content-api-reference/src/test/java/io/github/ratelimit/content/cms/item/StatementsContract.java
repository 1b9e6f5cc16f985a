package io.github.ratelimit.content.cms.item;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.ManyItems;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.Statements.Plan;
import io.github.ratelimit.content.harness.Statements.Ran;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;

/** How many statements a request takes, and whether lists read indexes; extended for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StatementsContract {
    /** A page of a hundred items is read in four statements. */
    private static final int MOST = 14;

    private static final Pattern SCAN = Pattern.compile("tableScan|Seq Scan");

    private final Database kind;
    private final Account admin = Accounts.standard().get("admin");

    @AutoClose
    private ReferenceServer server;

    private SiteClient site;
    private long post;

    StatementsContract(Database kind) {
        this.kind = kind;
    }

    @BeforeAll
    void start() {
        // Background work and kept answers would hide the statements of a request.
        server = ReferenceServer.start(kind, "--content-api.publish-interval=1h", "--content-api.cache.enabled=false");
        site = new SiteClient(server.base());
        JdbcTemplate jdbc = new JdbcTemplate(server.context().getBean(DataSource.class));
        new ManyItems(jdbc, 5).fill(300, 100, 1_200, 1_200, 2_400);
        jdbc.execute("analyze");
        post = requireNonNull(
                jdbc.queryForObject("select max(id) from item where kind = 'post' and status = 'publish'", Long.class));
    }

    @Test
    void everyListReadsAnIndex() throws SQLException {
        List<String> problems = new ArrayList<>();
        for (String order : List.of("author", "date", "id", "modified", "parent", "slug", "title")) {
            for (String list : List.of("posts", "pages", "media")) {
                problems.addAll(check("/cms/v2/" + list, "orderby=" + order, null));
                problems.addAll(check("/cms/v2/" + list, "order=asc&orderby=" + order, admin));
            }
        }
        problems.addAll(check("/cms/v2/pages", "orderby=menu_order", null));
        for (String filter : List.of(
                "author=7,8",
                "after=2019-01-01T00:00:00",
                "include=2620,2621&orderby=include",
                "slug=post-many-7",
                "page=3&per_page=100",
                "search=mark7",
                "search=title%207&orderby=relevance",
                "categories=3,5",
                "tags_exclude=4",
                "sticky=true",
                "format=aside")) {
            problems.addAll(check("/cms/v2/posts", filter, null));
        }
        for (String order : List.of("id", "name", "slug", "count")) {
            problems.addAll(check("/cms/v2/tags", "orderby=" + order, null));
        }
        for (String order : List.of("id", "name", "registered_date", "slug", "email")) {
            problems.addAll(check("/cms/v2/users", "orderby=" + order, admin));
        }

        assertThat(problems).isEmpty();
    }

    @Test
    void singleThingsAndWhatTheyLinkToTakeFewStatements() throws SQLException {
        List<String> problems = new ArrayList<>();
        for (Account caller : new Account[] {null, admin}) {
            problems.addAll(check("/cms/v2/posts/" + post, "_embed", caller));
            for (String list : List.of("posts", "pages", "media")) {
                problems.addAll(check("/cms/v2/" + list, "_embed&per_page=100", caller));
            }
        }
        problems.addAll(check("/cms/v2/users/me", "", admin));
        problems.addAll(check("/cms/v2/posts/" + post + "/revisions", "", admin));

        assertThat(problems).isEmpty();
    }

    @Test
    void signedInCallersAreFoundByOneStatement() {
        int anonymous = statements("/cms/v2/posts", "exclude=1", null).size();

        assertThat(statements("/cms/v2/posts", "exclude=1", admin)).hasSize(anonymous + 1);
    }

    @Test
    void totalsForStrangersAreKeptForSomeSeconds() {
        int first = statements("/cms/v2/posts", "author_exclude=1", null).size();

        assertThat(statements("/cms/v2/posts", "author_exclude=1&page=2", null)).hasSize(first - 1);
    }

    @Test
    void pageBeyondTheEndAsksForTheTotalOnly() {
        for (String list : List.of("posts", "pages", "media", "users", "tags")) {
            List<Ran> ran = server.statements()
                    .during(() -> site.call("GET", "/cms/v2/" + list, Query.of("page", "9223372036854775807"))
                            .send());

            assertThat(ran).as(list).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void statementsAndConnectionsAreBounded() throws SQLException {
        HikariDataSource pool = server.context().getBean(DataSource.class).unwrap(HikariDataSource.class);

        assertThat(server.context().getBean(JdbcTemplate.class).getQueryTimeout())
                .isEqualTo(5);
        assertThat(pool.getMaximumPoolSize()).isEqualTo(10);
        assertThat(pool.getConnectionTimeout()).isEqualTo(5_000);
    }

    @Test
    void writesTakeFewStatements() {
        Answer made = write(WRITES, "POST", "/cms/v2/posts", "{\"title\": \"Counted\", \"status\": \"publish\"}");
        String item = "/cms/v2/posts/" + made.json().path("id").longValue();
        write(WRITES, "POST", item, "{\"content\": \"After\"}");
        write(WRITES, "DELETE", item, "{}");
        write(WRITES, "DELETE", item + "&force=true", "{}");
        for (int count = 0; count < 20; count++) {
            write(WRITES, "POST", "/cms/v2/posts", "{\"title\": \"Repeated\", \"status\": \"publish\"}");
        }
    }

    private static final int WRITES = 14;

    private Answer write(int most, String method, String route, String json) {
        List<Answer> answers = new ArrayList<>();
        List<Ran> ran = server.statements()
                .during(() -> answers.add(site.callAddress(method, site.base() + "/index.php?rest_route=" + route)
                        .as(admin)
                        .json(Json.read(json))
                        .send()));
        assertThat(answers.get(0).status()).as(answers.get(0).text()).isBetween(200, 201);
        assertThat(ran).as(method + " " + route).hasSizeLessThanOrEqualTo(most);
        return answers.get(0);
    }

    private List<String> check(String route, String query, @Nullable Account caller) throws SQLException {
        List<String> problems = new ArrayList<>();
        List<Ran> ran = statements(route, query, caller);
        if (ran.isEmpty() || ran.size() > MOST) {
            problems.add(route + " " + query + ": " + ran.size() + " statements: " + ran);
        }
        for (Ran one : ran) {
            Plan plan = plan(one);
            if (plan.lines().stream().anyMatch(line -> SCAN.matcher(line).find())) {
                problems.add(route + " " + query + " scans: " + one + "\n" + plan);
            }
        }
        return problems;
    }

    private List<Ran> statements(String route, String query, @Nullable Account caller) {
        String address =
                site.base() + "/index.php?rest_route=" + Query.encode(route) + (query.isEmpty() ? "" : "&" + query);
        return server.statements().during(() -> {
            SiteClient.Call call = site.callAddress("GET", address);
            Answer answer = (caller == null ? call : call.as(caller)).send();
            assertThat(answer.status()).as(address + " " + answer.text()).isEqualTo(200);
        });
    }

    /**
     * A table of a few thousand rows may be scanned, or joined as a whole, faster than any index is looked into; the question
     * is whether one could be.
     */
    private Plan plan(Ran ran) throws SQLException {
        try (Connection connection = server.context().getBean(DataSource.class).getConnection();
                Statement settings = connection.createStatement()) {
            if (kind == Database.H2) {
                return ran.plan(connection);
            }
            settings.execute("set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off;"
                    + " set random_page_cost = 1.1");
            Plan plan = ran.plan(connection);
            settings.execute("reset all");
            return plan;
        }
    }
}

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
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.FileSystemUtils;

/** How many statements a request takes, and whether any of them reads what it does not need; extended for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StatementsContract {

    private static final int MOST = 12;
    private static final Pattern SCAN = Pattern.compile("tableScan|Seq Scan");

    /** So many rows more than needed are no problem: a tree of an index is not read for less. */
    private static final int SOME = 60;

    /** Walking in an order meets so many for each that fits: it is done where at least one of four does. */
    private static final int WALKED = 8;

    /** What is found by no index: what a text holds, what is not so, either of two terms, and of what there is most. */
    private static final Pattern NOWHERE =
            Pattern.compile(" like \\?| not \\(| or \\(item\\.id in|order by \\(select count");

    /** What a term sorts is read at once. */
    private static final String OF_TERMS = " item_term ";

    private static final List<String> ITEM_ORDERS =
            List.of("author", "date", "id", "modified", "parent", "slug", "title");
    private static final List<String> TERM_ORDERS = List.of("id", "name", "slug", "description", "count");
    private static final List<String> USER_ORDERS = List.of("id", "name", "registered_date", "slug", "email", "url");

    private static final List<String> ITEM_FILTERS = List.of(
            "after=2019-01-01T00:00:00",
            "before=2019-01-01T00:00:00",
            "modified_after=2019-01-01T00:00:00",
            "modified_before=2019-01-01T00:00:00&orderby=title",
            "author=7",
            "author=7,8,9",
            "author_exclude=7",
            "exclude=20,21",
            "include=2620,2621",
            "include=2620,2621&orderby=include",
            "slug=post-many-7,page-many-7",
            "slug=post-many-7,page-many-7&orderby=include_slugs",
            "orderby=include_slugs",
            "offset=1000",
            "page=3&per_page=100",
            "search=words",
            "search=mark7",
            "search=-mark7&orderby=title",
            "search=%22fill%20a%20post%22",
            "search=%22ill%20a%20pos%22",
            "search=title&search_columns[]=post_title",
            "search=words&orderby=relevance",
            "search=title%207&orderby=relevance",
            "search=mark77%20words&orderby=relevance&per_page=3");

    private static final List<String> POST_FILTERS = List.of(
            "categories=1",
            "categories=3,5",
            "categories_exclude=3",
            "tags=4",
            "tags=4&categories=3&tax_relation=OR",
            "sticky=true",
            "sticky=false",
            "ignore_sticky=false",
            "format=aside",
            "format=standard");

    /** A picture that some posts show. */
    private static final long FIRST_FILE = 1;

    private final Database kind;
    private final Account admin = Accounts.standard().get("admin");
    private final Account author = Accounts.standard().get("author");

    @AutoClose
    private ReferenceServer server;

    private SiteClient site;
    private ItemIndex index;
    private long post;

    private final Set<String> replaceable;

    /**
     * Is about one database.
     *
     * @param replaceable the indexes that this one does not miss among so few rows: it reads no more of them by another one
     */
    StatementsContract(Database kind, Set<String> replaceable) {
        this.kind = kind;
        this.replaceable = replaceable;
    }

    @BeforeAll
    void start() {
        // What is due is looked for in the background, and would be taken
        // for a part of a request; what is kept takes none.
        server = ReferenceServer.start(kind, "--content-api.publish-interval=1h", "--content-api.cache.enabled=false");
        site = new SiteClient(server.base());
        JdbcTemplate jdbc = new JdbcTemplate(server.context().getBean(DataSource.class));
        new ManyItems(jdbc, 5).fill(300, 100, 1_200, 1_200, 2_400);
        jdbc.execute("insert into application_password (uuid, account_id, app_id, name, secret_hash, created_at)"
                + " select login, id, '', login, login, registered_at from account where login like 'writer%'");
        jdbc.execute("analyze");
        index = server.context().getBean(ItemIndex.class);
        index.fill();
        post = requireNonNull(
                jdbc.queryForObject("select max(id) from item where kind = 'post' and status = 'publish'", Long.class));
    }

    @Test
    void everyOrderOfAListIsReadFromAnIndex() throws SQLException {
        assertThat(problemsOf(this::checkOrders)).isEmpty();
    }

    private void checkOrders(Lists lists) throws SQLException {
        // Both ways are the same way through an index: the database alone is asked for one of them.
        for (String direction : lists.isIndexed ? List.of("asc", "desc") : List.of("desc")) {
            for (String order : ITEM_ORDERS) {
                String query = "orderby=" + order + "&order=" + direction;
                for (String list : List.of("posts", "pages", "media")) {
                    lists.checked("/cms/v2/" + list, query, null);
                    lists.checked(
                            "/cms/v2/" + list,
                            query + "&status[]="
                                    + (list.equals("media")
                                            ? "inherit&status[]=private"
                                            : "publish&status[]=draft&status[]=private"),
                            admin);
                }
            }
            lists.checked("/cms/v2/pages", "orderby=menu_order&order=" + direction, null);
            for (String order : USER_ORDERS) {
                lists.checked("/cms/v2/users", "orderby=" + order + "&order=" + direction, admin);
            }
            for (String order : TERM_ORDERS) {
                lists.checked("/cms/v2/tags", "orderby=" + order + "&order=" + direction, null);
            }
        }
    }

    @Test
    void everyFilterOfAListFindsAnIndex() throws SQLException {
        assertThat(problemsOf(this::checkFilters)).isEmpty();
    }

    private void checkFilters(Lists lists) throws SQLException {
        for (Account caller : new Account[] {null, author}) {
            for (String filter : ITEM_FILTERS) {
                lists.checked("/cms/v2/posts", filter, caller);
                // The database alone takes long; what is hidden of each kind is asked of it once.
                if (lists.isIndexed || caller == null) {
                    lists.checked("/cms/v2/media", filter, caller);
                }
                if (lists.isIndexed || caller != null) {
                    lists.checked("/cms/v2/pages", filter, caller);
                }
            }
            for (String filter : POST_FILTERS) {
                lists.checked("/cms/v2/posts", filter, caller);
            }
            lists.checked("/cms/v2/pages", "parent=0", caller);
            lists.checked("/cms/v2/pages", "parent_exclude=0", caller);
            lists.checked("/cms/v2/pages", "menu_order=3", caller);
            lists.checked("/cms/v2/media", "media_type=image", caller);
            lists.checked("/cms/v2/media", "mime_type=application/pdf", caller);
            for (String filter : List.of("", "hide_empty=true", "post=2620", "include=3,4", "slug=term-1", "page=2")) {
                lists.checked("/cms/v2/tags", filter, caller);
            }
            for (String filter : List.of("", "include=3,4", "slug=writer1", "page=2")) {
                lists.checked("/cms/v2/users", filter, caller);
            }
        }
        lists.checked("/cms/v2/posts", "status=any", admin);
        lists.checked("/cms/v2/posts", "status=private", admin);
        lists.checked("/cms/v2/users", "roles=author", admin);
    }

    private interface Check {
        void of(Lists lists) throws SQLException;
    }

    /** Everything is asked twice: of the index of items, and of the database alone, as while that index is filled. */
    private List<String> problemsOf(Check check) throws SQLException {
        Lists indexed = new Lists(true);
        check.of(indexed);
        Lists alone = new Lists(false);
        index.forget();
        try {
            check.of(alone);
        } finally {
            index.fill();
        }
        List<String> problems = new ArrayList<>(indexed.problems);
        problems.addAll(alone.problems);
        alone.answers.forEach((question, answer) -> {
            if (!answer.equals(indexed.answers.get(question))) {
                problems.add(
                        question + ": the index says " + indexed.answers.get(question) + ", the database " + answer);
            }
        });
        return problems;
    }

    /** Asks for lists, and keeps what is wrong with the statements, and what the answers say. */
    private final class Lists {
        private final boolean isIndexed;
        private final List<String> problems = new ArrayList<>();
        private final Map<String, String> answers = new LinkedHashMap<>();

        private Lists(boolean isIndexed) {
            this.isIndexed = isIndexed;
        }

        private void checked(String route, String query, @Nullable Account caller) throws SQLException {
            List<Answer> answers = new ArrayList<>();
            List<Ran> ran = statements(route, query, caller, answers);
            long total =
                    answers.get(0).header("X-WP-Total").map(Long::parseLong).orElse(0L);
            // All of a status may be read for other orders than these, and on H2 to find few, for the seconds until the
            // index of items is filled.
            boolean isOfItems = List.of("posts", "pages", "media").stream().anyMatch(route::endsWith);
            boolean isOrdered = query.matches("orderby=(date|id|parent)&.*");
            boolean isSpared = isOfItems && !isIndexed && !isOrdered;
            problems.addAll(judged(route, query, ran, isSpared ? ItemQuery.FEW : total));
            List<Long> ids = new ArrayList<>();
            answers.get(0).json().forEach(item -> ids.add(item.path("id").longValue()));
            this.answers.put(
                    route + " " + query + (caller == null ? "" : " as " + caller.login()),
                    answers.get(0).header("X-WP-Total") + " " + ids);
        }
    }

    @Test
    void singleThingsAndWhatTheyLinkToTakeFewStatements() throws SQLException {
        List<String> problems = new ArrayList<>();
        for (Account caller : new Account[] {null, admin}) {
            problems.addAll(check("/cms/v2/posts/" + post, "", caller));
            problems.addAll(check("/cms/v2/posts/" + post, "_embed", caller));
            problems.addAll(check("/cms/v2/posts", "_embed&per_page=100", caller));
            problems.addAll(check("/cms/v2/pages", "_embed&per_page=100", caller));
            problems.addAll(check("/cms/v2/media", "_embed&per_page=100", caller));
        }
        problems.addAll(check("/cms/v2/users/me", "", admin));
        problems.addAll(check("/cms/v2/posts/" + post + "/revisions", "", admin));

        assertThat(problems).isEmpty();
    }

    @Test
    void signedInCallersAreFoundByOneLookIntoAnIndex() throws SQLException {
        index.isUpToDate(); // it may have to follow what other tests wrote
        List<Ran> anonymous = statements("/cms/v2/posts", "", null);
        List<Ran> signed = statements("/cms/v2/posts", "", admin);

        assertThat(signed).as("%s", anonymous).hasSize(anonymous.size() + 1);
        assertThat(problems(signed.get(0), 0)).isEmpty();
    }

    /** Which request each index is there for. */
    private static final Map<String, String> NEEDED = Map.ofEntries(
            Map.entry("item_published", "GET /cms/v2/posts"),
            Map.entry("item_numbered", "GET /cms/v2/posts orderby=id"),
            Map.entry("item_below", "GET /cms/v2/posts orderby=parent"),
            Map.entry("item_sticky", "GET /cms/v2/posts sticky=true"),
            // For sites with texts of a megabyte: ItemBoundsTest.
            Map.entry("item_known", "GET /"),
            Map.entry("item_named", "GET /cms/v2/posts slug=post-many-7"),
            Map.entry("item_author", "GET /cms/v2/posts author=7,8"),
            Map.entry("item_parent", "GET /cms/v2/posts/{post}"),
            Map.entry("item_featured", "DELETE /cms/v2/media/{file} force=true"),
            Map.entry("item_term_term", "GET /cms/v2/tags"),
            Map.entry("term_parent", "GET /cms/v2/posts categories[terms]=3&categories[include_children]=true"),
            Map.entry("account_name", "GET /cms/v2/users orderby=name"),
            Map.entry("account_url", "GET /cms/v2/users orderby=url"),
            Map.entry("account_registered", "GET /cms/v2/users orderby=registered_date"),
            Map.entry("account_role", "GET /cms/v2/users roles=editor"),
            Map.entry("application_password_account", "GET /cms/v2/users/me/application-passwords"));

    @Test
    void everyIndexIsNeededAndMissed() {
        JdbcTemplate jdbc = new JdbcTemplate(server.context().getBean(DataSource.class));
        Map<String, String> indexes = ManyItems.indexes("item", "item_term", "term", "account", "application_password");
        Set<String> unmissed = new TreeSet<>();
        index.forget();
        try {
            indexes.forEach((name, statement) -> {
                jdbc.execute("drop index " + name);
                try {
                    if (problemsOf(NEEDED.getOrDefault(name, "GET /")).isEmpty()) {
                        unmissed.add(name);
                    }
                } finally {
                    jdbc.execute(statement);
                }
            });
        } finally {
            index.fill();
        }

        assertThat(replaceable).containsAll(unmissed);
        assertThat(indexes.keySet()).isEqualTo(NEEDED.keySet());
    }

    private List<String> problemsOf(String wanted) {
        String[] parts = wanted.replace("{post}", Long.toString(post))
                .replace("{file}", Long.toString(FIRST_FILE))
                .split(" ");
        String address = site.base() + "/index.php?rest_route=" + Query.encode(parts[1])
                + (parts.length > 2 ? "&" + parts[2].replace("[", "%5B").replace("]", "%5D") : "");
        List<Answer> answers = new ArrayList<>();
        List<Ran> ran = server.statements()
                .during(() -> answers.add(
                        site.callAddress(parts[0], address).as(admin).send()));
        assertThat(answers.get(0).status()).as(answers.get(0).text()).isEqualTo(200);
        long total = answers.get(0).header("X-WP-Total").map(Long::parseLong).orElse(0L);
        try {
            return judged(parts[1], wanted, ran, total);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatAnotherServerWritesIsListedAtOnce() {
        JdbcTemplate other = new JdbcTemplate(server.context().getBean(DataSource.class));
        assertThat(total("format=chat")).isZero();

        other.update("update item set format = 'chat' where id = ?", post);
        note(other);
        assertThat(total("format=chat")).isEqualTo(1);

        other.update("update item set format = 'standard' where id = ?", post);
        note(other);
        assertThat(total("format=chat")).isZero();
    }

    /** As on a disk that was full for a while: lists are little work again, and nobody has to start the server anew. */
    @Test
    void indexWhoseFilesFailedIsMadeAnew() throws IOException {
        FileSystemUtils.deleteRecursively(server.dataDirectory().resolve("item-index"));
        note(new JdbcTemplate(server.context().getBean(DataSource.class)));
        assertThat(index.isUpToDate()).isFalse();

        index.renew();
        index.fill();

        assertThat(index.isUpToDate()).isTrue();
    }

    /** The database may be away at the moment in which the index is filled. */
    @Test
    void indexThatCouldNotBeFilledIsFilledLater() throws InterruptedException {
        JdbcTemplate other = new JdbcTemplate(server.context().getBean(DataSource.class));
        index.forget();
        other.execute("alter table item_revision rename to item_revision_away");
        try {
            index.fill();
        } finally {
            other.execute("alter table item_revision_away rename to item_revision");
        }
        assertThat(index.isUpToDate()).isFalse();

        index.renew();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("item-index")) {
                thread.join();
            }
        }

        assertThat(index.isUpToDate()).isTrue();
    }

    private void note(JdbcTemplate other) {
        other.update("update item_revision set revision = revision + 1 where id = 1");
        other.update(
                "insert into item_change (revision, item_id) select revision, cast(? as bigint) from item_revision",
                post);
    }

    private long total(String filter) {
        List<Answer> answers = new ArrayList<>();
        statements("/cms/v2/posts", filter, null, answers);
        return answers.get(0).header("X-WP-Total").map(Long::parseLong).orElseThrow();
    }

    @Test
    void pageBeyondTheEndAsksForTheTotalOnly() {
        index.isUpToDate();
        for (String list : List.of("posts", "pages", "media", "users", "tags")) {
            for (String page : List.of("99999", "9223372036854775807")) {
                List<Answer> answers = new ArrayList<>();
                List<Ran> ran = server.statements()
                        .during(() -> answers.add(site.call("GET", "/cms/v2/" + list, Query.of("page", page))
                                .send()));

                // Of files it is asked first which ones belong to something hidden: they are not in the total. Of
                // accounts, whether anything was published since those who did were last listed.
                assertThat(ran)
                        .as(list + " " + page)
                        .hasSize(Set.of("media", "users").contains(list) ? 2 : 1);
                boolean isItems = !list.equals("users") && !list.equals("tags");
                assertThat(answers.get(0).status()).isEqualTo(isItems ? 400 : 200);
                assertThat(answers.get(0).text()).contains(isItems ? "rest_post_invalid_page_number" : "[]");
            }
        }
    }

    @Test
    void accountsAreCountedAsTheDatabaseCountsThem() {
        JdbcTemplate jdbc = new JdbcTemplate(server.context().getBean(DataSource.class));
        long before = accounts();
        long author = requireNonNull(jdbc.queryForObject(
                "select min(author_id) from item where kind = 'page' and status = 'publish'", Long.class));
        List<Long> published = jdbc.queryForList(
                "select id from item where author_id = ? and kind in ('post', 'page') and status = 'publish'",
                Long.class,
                author);
        published.forEach(id -> setStatus(id, "draft"));

        assertThat(accounts()).isEqualTo(before - 1);
        index.forget();
        assertThat(accounts()).as("counted by the database").isEqualTo(before - 1);
        index.fill();
        published.forEach(id -> setStatus(id, "publish"));
        assertThat(accounts()).isEqualTo(before);
    }

    private void setStatus(long id, String status) {
        for (String list : List.of("posts", "pages")) {
            site.call("POST", "/cms/v2/" + list + "/" + id)
                    .as(admin)
                    .json(Json.read("{\"status\":\"" + status + "\"}"))
                    .send();
        }
    }

    private long accounts() {
        return site.call("GET", "/cms/v2/users")
                .send()
                .header("X-WP-Total")
                .map(Long::parseLong)
                .orElseThrow();
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
    void publishingReadsNothingThatItWrote() {
        List<Ran> publish = server.statements().during(() -> {
            Answer answer = site.call("POST", "/cms/v2/posts")
                    .as(admin)
                    .json(Json.read("{\"title\": \"Counted\", \"content\": \"Words\", \"status\": \"publish\"}"))
                    .send();
            assertThat(answer.status()).isEqualTo(201);
        });

        assertThat(publish)
                .as("caller, slug, item, its category, two that note the change, what the answer shows of both")
                .hasSizeLessThanOrEqualTo(8);
    }

    /** Its slug may be a file's, and all files here belong to nothing, as the page does. */
    @Test
    void publishingAPageReadsNoFileThatIsCalledOtherwise() throws SQLException {
        List<Ran> publish = server.statements().during(() -> {
            Answer answer = site.call("POST", "/cms/v2/pages")
                    .as(admin)
                    .json(Json.read("{\"title\": \"Page\", \"slug\": \"page-many-7\", \"status\": \"publish\"}"))
                    .send();
            assertThat(answer.status()).isEqualTo(201);
        });

        assertThat(judged(
                        "/cms/v2/pages",
                        "",
                        publish.stream()
                                .filter(ran -> ran.sql().startsWith("select slug"))
                                .toList(),
                        0))
                .isEmpty();
    }

    @Test
    void publishingUnderATitleThatManyHaveAsksOnceWhichNumberIsFree() {
        String post = "{\"title\": \"Repeated\", \"status\": \"publish\"}";
        List<Ran> ran = List.of();
        for (int count = 0; count < 20; count++) {
            ran = server.statements().during(() -> {
                Answer answer = site.call("POST", "/cms/v2/posts")
                        .as(admin)
                        .json(Json.read(post))
                        .send();
                assertThat(answer.status()).isEqualTo(201);
                assertThat(answer.json().path("generated_slug"))
                        .isEqualTo(answer.json().path("slug"));
            });
        }

        assertThat(ran).as("as many as under a title of its own").hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void whatAPageOfItemsEmbedsIsReadOnceForEachKind() {
        index.isUpToDate();
        assertThat(statements("/cms/v2/posts", "_embed&per_page=100", null))
                .as("revision, items, terms, wordings, accounts, rights of pictures, pictures, files")
                .hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void changingReadsTheItemForPermissionsOnly() {
        String item = "/cms/v2/posts/"
                + site.call("POST", "/cms/v2/posts")
                        .as(admin)
                        .json(Json.read("{\"title\": \"Before\", \"status\": \"publish\"}"))
                        .send()
                        .json()
                        .path("id")
                        .longValue();
        String part = "{\"path\": \"%s\", \"body\": {\"content\": \"%s\"}}";
        String batch = "{\"requests\": [" + part.formatted(item, "1") + ", " + part.formatted(item, "2") + "]}";

        assertReads(1, 9, site.call("POST", item).json(Json.read("{\"content\": \"After\"}")));
        assertReads(2, 19, site.call("POST", "/batch/v1").json(Json.read(batch)));
        // Thrown away, its slug is free for others, who may have it already: one look for what it would be called.
        assertReads(1, 12, site.call("DELETE", item));
        assertReads(1, 10, site.call("DELETE", item, Query.of("force", "true")));
    }

    private void assertReads(int times, int most, SiteClient.Call call) {
        List<Ran> ran = server.statements()
                .during(() -> assertThat(call.as(admin).send().status()).isBetween(200, 207));

        assertThat(ran).hasSizeLessThanOrEqualTo(most);
        assertThat(ran)
                .extracting(Ran::sql)
                .filteredOn(sql ->
                        sql.startsWith("select") && sql.contains(" title, ") && sql.contains("from item where id = ?"))
                .as("whether the caller may; of the last wording, what it says")
                .hasSizeLessThanOrEqualTo(2 * times);
        assertThat(ran).extracting(Ran::sql).noneMatch(sql -> sql.endsWith("for update"));
    }

    private List<String> check(String route, String query, @Nullable Account caller) throws SQLException {
        return judged(route, query, statements(route, query, caller), 0);
    }

    private List<String> judged(String route, String query, List<Ran> ran, long total) throws SQLException {
        List<String> problems = new ArrayList<>();
        if (ran.isEmpty() || ran.size() > MOST) {
            problems.add(route + " " + query + ": " + ran.size() + " statements: " + ran);
        }
        for (Ran one : ran) {
            problems(one, total).forEach(problem -> problems.add(route + " " + query + ": " + problem));
        }
        return problems;
    }

    private List<Ran> statements(String route, String query, @Nullable Account caller) {
        return statements(route, query, caller, new ArrayList<>());
    }

    private List<Ran> statements(String route, String query, @Nullable Account caller, List<Answer> answers) {
        String address =
                site.base() + "/index.php?rest_route=" + Query.encode(route) + (query.isEmpty() ? "" : "&" + query);
        return server.statements().during(() -> {
            SiteClient.Call call = site.callAddress("GET", address);
            Answer answer = (caller == null ? call : call.as(caller)).send();
            assertThat(answer.status()).as(address + " " + answer.text()).isEqualTo(200);
            answers.add(answer);
        });
    }

    /**
     * Says what is wrong with a statement: that it reads a table, or much more than it is about, as where it sorts what it
     * could find sorted, or walks through an index from its beginning.
     *
     * @param total of the list that it is for: few that fit are read at once and sorted
     */
    private List<String> problems(Ran ran, long total) throws SQLException {
        if (ran.sql().startsWith("insert")) {
            return List.of();
        }
        Plan plan = plan(ran);
        boolean isScan =
                plan.lines().stream().anyMatch(line -> SCAN.matcher(line).find());
        long sorted = total > ItemQuery.FEW && !ran.sql().contains(OF_TERMS) ? 0 : total;
        boolean isTooMuch =
                !NOWHERE.matcher(ran.sql()).find() && plan.read() > WALKED * plan.wanted() + 3 * sorted + SOME;
        return isScan || isTooMuch ? List.of((isScan ? "scans: " : "reads too much: ") + ran + "\n" + plan) : List.of();
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

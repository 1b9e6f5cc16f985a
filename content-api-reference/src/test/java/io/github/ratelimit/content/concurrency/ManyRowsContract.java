package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.replay.SeededServer;
import io.github.ratelimit.content.server.store.Pieces;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Whatever belongs to something that is deleted may be any number of rows: no transaction takes them all. Extended for each database. */
@ExtendWith(SeededServer.Provider.class)
abstract class ManyRowsContract {
    private static final int MANY = 2 * Pieces.ITEMS + 1;

    /** The first statement of what each transaction that changes items ends with. */
    private static final String TRANSACTION = "update content_generation ";

    private final Account admin = Accounts.standard().get("admin");
    private final SeededServer server;
    private final JdbcTemplate jdbc;

    ManyRowsContract(SeededServer server) {
        this.server = server;
        this.jdbc = server.context().getBean(JdbcTemplate.class);
    }

    @AfterEach
    void end() {
        jdbc.update("delete from item where slug like 'one-of-many-%'");
    }

    @Test
    void pagesThatStandBelowAPageMoveUp() {
        long above = make("/cms/v2/pages", "{'title': 'Above'}");
        long page = make("/cms/v2/pages", "{'title': 'Below', 'parent': " + above + "}");
        insert(MANY, "page", page, 0, 0);

        assertThat(deleting("/cms/v2/pages/" + page, TRANSACTION)).isEqualTo(3);

        assertThat(count("kind = 'page' and slug_scope = 'page/" + above + "' and parent_id = " + above))
                .isEqualTo(MANY);
        delete("/cms/v2/pages/" + above);
    }

    @Test
    void filesOfAPageBelongToThePageAbove() {
        long above = make("/cms/v2/pages", "{'title': 'Above'}");
        long page = make("/cms/v2/pages", "{'title': 'Below', 'parent': " + above + "}");
        insert(MANY, "attachment", page, 0, 0);

        assertThat(deleting("/cms/v2/pages/" + page, TRANSACTION)).isEqualTo(3);

        assertThat(count("kind = 'attachment' and parent_id = " + above)).isEqualTo(MANY);
        delete("/cms/v2/pages/" + above);
    }

    /** Clients move files before what they belong to is there, so a file may be one of those that belong to it. */
    @ParameterizedTest
    @ValueSource(strings = {"min", "max"})
    void fileThatBelongsToItselfGoesAndTheOthersBelongToNothing(String which) {
        insert(MANY, "attachment", 0, 0, 0);
        long file = number("select " + which + "(id) from item where slug like 'one-of-many-%'");
        jdbc.update("update item set parent_id = ? where slug like 'one-of-many-%'", file);

        assertThat(deleting("/cms/v2/media/" + file, TRANSACTION)).isEqualTo(2);

        assertThat(count("parent_id = 0")).isEqualTo(MANY - 1);
    }

    @Test
    void postsThatShowAPictureShowNone() {
        insert(1, "attachment", 0, 0, 0);
        long picture = number("select max(id) from item where slug like 'one-of-many-%'");
        insert(MANY, "post", 0, 0, picture);

        assertThat(deleting("/cms/v2/media/" + picture, "update item set featured_media "))
                .isEqualTo(3);

        assertThat(count("kind = 'post' and featured_media = 0")).isEqualTo(MANY);
    }

    @Test
    void postsOfACategoryHaveTheDefaultOneWhereTheyHaveNoOther() {
        int many = 2 * Pieces.ROWS + 1;
        long category = make("/cms/v2/categories", "{'name': 'Sorts many'}");
        long other = make("/cms/v2/categories", "{'name': 'Sorts one'}");
        insert(many, "post", 0, 0, 0);
        String sort =
                "insert into item_term (item_id, term_id, published) select id, ?, true from item where slug like ";
        jdbc.update(sort + "'one-of-many-%'", category);
        jdbc.update(sort + "'one-of-many-1'", other);
        for (int i = 0; i < many; i++) {
            jdbc.update(
                    "insert into term (taxonomy, slug, name, name_order, parent_id) values ('category', ?, 'Below', cast('' as bytea), ?)",
                    "one-of-many-" + i,
                    category);
        }

        assertThat(deleting("/cms/v2/categories/" + category, TRANSACTION)).isEqualTo(many / Pieces.ITEMS + 1);

        String sorted =
                "select count(*) from item_term where item_id in (select id from item where slug like 'one-of-many-%')";
        assertThat(jdbc.queryForObject(sorted + " and term_id = 1", Long.class)).isEqualTo(many - 1);
        assertThat(jdbc.queryForObject(sorted, Long.class)).isEqualTo(many);
        assertThat(jdbc.update("delete from term where slug like 'one-of-many-%' and parent_id = 0"))
                .isEqualTo(many);
        delete("/cms/v2/categories/" + other);
    }

    private void insert(int many, String kind, long parent, long author, long picture) {
        for (int i = 0; i < many; i++) {
            String slug = "one-of-many-" + i;
            String scope = kind.equals("page") ? "page/" + parent : kind;
            String file = kind.equals("attachment") ? slug : null;
            jdbc.update(
                    "insert into item (kind, status, parent_id, author_id, featured_media, slug, slug_scope, file, mime_type,"
                            + " published_at, modified_at) values (?, ?, ?, ?, ?, ?, ?, ?, 'image/png',"
                            + " current_timestamp, current_timestamp)",
                    kind,
                    file == null ? "publish" : "inherit",
                    parent,
                    author,
                    picture,
                    slug,
                    scope,
                    file);
        }
        jdbc.update(
                "insert into item_text (item_id) select id from item where id not in (select item_id from item_text)");
    }

    private long count(String condition) {
        return number("select count(*) from item where slug like 'one-of-many-%' and " + condition);
    }

    private long number(String query) {
        return Objects.requireNonNull(jdbc.queryForObject(query, Long.class));
    }

    private long make(String route, String fields) {
        Answer made = server.site()
                .call("POST", route)
                .as(admin)
                .json(Json.read(fields.replace('\'', '"')))
                .send();
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.json().path("id").longValue();
    }

    /** Deletes for good, and tells how often a statement ran for it. */
    private long deleting(String route, String statement, String... more) {
        return server.statements().during(() -> delete(route, more)).stream()
                .filter(ran -> ran.sql().startsWith(statement))
                .count();
    }

    private void delete(String route, String... more) {
        Query query = more.length == 0 ? Query.of("force", "true") : Query.of("force", "true", more[0], more[1]);
        Answer deleted = server.site().call("DELETE", route, query).as(admin).send();
        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
    }
}

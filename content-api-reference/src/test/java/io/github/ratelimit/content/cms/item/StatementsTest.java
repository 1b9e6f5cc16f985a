package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.Statements.Ran;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How many statements a request takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StatementsTest {
    private static final int MOST_OF_A_READING = 14;
    private static final int MOST_OF_A_WRITE = 15;

    // Background work and kept answers would hide the statements of a request.
    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2, "--content-api.publish-interval=1h", "--content-api.cache.enabled=false");

    private final SiteClient site = new SiteClient(server.base());

    @BeforeAll
    void writeThirtyPostsAndPages() {
        for (int i = 0; i < 30; i++) {
            String json = "{\"title\": \"Number " + i + "\", \"status\": \"publish\"}";
            write("POST", "/cms/v2/posts", json);
            write("POST", "/cms/v2/pages", json);
        }
    }

    @Test
    void readingTakesFewStatementsHoweverLongTheListIs() {
        for (SiteClient caller : List.of(site, site.as("admin"))) {
            for (String list : List.of("posts", "pages")) {
                assertThat(statements("/cms/v2/" + list + "?_embed&per_page=100", caller))
                        .as(list)
                        .hasSizeBetween(1, MOST_OF_A_READING);
            }
        }
    }

    @Test
    void signedInCallersAreFoundByOneStatement() {
        int anonymous = statements("/cms/v2/posts?exclude=1", site).size();

        assertThat(statements("/cms/v2/posts?exclude=1", site.as("admin"))).hasSize(anonymous + 1);
    }

    @Test
    void totalsForStrangersAreKeptForSomeSeconds() {
        int first = statements("/cms/v2/posts?author_exclude=99", site).size();

        assertThat(statements("/cms/v2/posts?author_exclude=99&page=2", site)).hasSize(first - 1);
    }

    @Test
    void pageBeyondTheEndAsksForTheTotalOnly() {
        for (String list : List.of("posts", "pages", "media", "users", "tags")) {
            List<Ran> ran = server.statements().during(() -> site.get("/cms/v2/" + list + "?page=9223372036854775807"));

            assertThat(ran).as(list).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void writesTakeFewStatements() {
        String item = "/cms/v2/posts/"
                + write("POST", "/cms/v2/posts", "{\"title\": \"Counted\", \"status\": \"publish\"}")
                        .json()
                        .path("id");
        write("POST", item, "{\"content\": \"After\"}");
        write("DELETE", item, "{}");
        write("DELETE", item + "?force=true", "{}");
    }

    private Answer write(String method, String route, String json) {
        List<Answer> answers = new ArrayList<>();
        List<Ran> ran = server.statements()
                .during(() -> answers.add(
                        site.as("admin").call(method, route).json(json).send()));
        assertThat(answers.get(0).status()).as(answers.get(0).text()).isBetween(200, 201);
        assertThat(ran).as(method + " " + route).hasSizeLessThanOrEqualTo(MOST_OF_A_WRITE);
        return answers.get(0);
    }

    private List<Ran> statements(String route, SiteClient caller) {
        return server.statements().during(() -> {
            Answer answer = caller.get(route);
            assertThat(answer.status()).as(route + " " + answer.text()).isEqualTo(200);
        });
    }
}

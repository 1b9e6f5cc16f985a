package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What no recording shows of the arguments that posts and pages are written with. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class ItemArgumentsTest {
    private static final Account EDITOR = Accounts.standard().get("editor");
    private static final Account AUTHOR = Accounts.standard().get("author");

    private final SiteClient site;
    private final List<String> made = new ArrayList<>();

    ItemArgumentsTest(SeededServer server) {
        site = server.site();
    }

    @AfterEach
    void clear() {
        made.forEach(route ->
                site.call("DELETE", route, Query.of("force", "true")).as(EDITOR).send());
    }

    private String make(String collection, String fields) {
        Answer answer = create(EDITOR, collection, fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return made.get(made.size() - 1);
    }

    private Answer create(Account by, String collection, String fields) {
        Answer answer =
                site.call("POST", "/cms/v2/" + collection).as(by).json(fields).send();
        if (answer.status() == 201) {
            made.add("/cms/v2/" + collection + "/" + answer.json().path("id").longValue());
        }
        return answer;
    }

    @Test
    void whatFitsASearchBestComesFirst() {
        String words = "\"zebrafish quokka\"";
        List<String> wanted = List.of(
                make("posts", publishedBy("title", words)),
                make("posts", publishedBy("title", "\"a quokka, two zebrafish\"")),
                make("posts", publishedBy("content", "\"zebrafish\",\"title\":\"One quokka\"")),
                make("posts", publishedBy("excerpt", words)),
                make("posts", publishedBy("content", words)),
                make("posts", publishedBy("content", "\"quokka and zebrafish\"")));

        JsonNode found = site.call(
                        "GET",
                        "/cms/v2/posts",
                        Query.of("search", "zebrafish quokka", "orderby", "relevance", "_fields", "id"))
                .send()
                .json();

        assertThat(found.valueStream()
                        .map(item -> "/cms/v2/posts/" + item.path("id").longValue()))
                .containsExactlyElementsOf(wanted);
    }

    private static String publishedBy(String field, String value) {
        return "{\"status\":\"publish\",\"" + field + "\":" + value + "}";
    }

    @Test
    void aBatchMayBeAForm() {
        Query form = Query.of("requests[0][path]", "/cms/v2/posts")
                .add("requests[0][body][title][raw]", "In a form")
                .add("requests[0][body][meta][footnotes]", "[1]");

        JsonNode member = site.call("POST", "/batch/v1")
                .as(EDITOR)
                .form(form)
                .send()
                .json()
                .path("responses")
                .path(0);
        made.add("/cms/v2/posts/" + member.path("body").path("id").longValue());

        assertThat(member.path("status").intValue()).isEqualTo(201);
        assertThat(member.path("body").path("title").path("raw").asString()).isEqualTo("In a form");
        assertThat(member.path("body").path("meta").path("footnotes").asString())
                .isEqualTo("[1]");
    }

    @Test
    void notesOfWhoMayNotWriteRawHtmlAreCleaned() {
        String sent = "[{'id': 'A b-1', 'content': '<i onclick=x>é</i><script>x</script>'}, {'id': '2'}, 3]";

        assertThat(notes(AUTHOR, sent.replace('\'', '"')))
                .isEqualTo("[{\"id\":\"ab-1\",\"content\":\"<i>\\u00e9<\\/i>x\"}]");
        assertThat(notes(AUTHOR, "[]")).isEqualTo("[]");
        assertThat(notes(AUTHOR, "<script>")).isEmpty();
        assertThat(notes(EDITOR, "<b>")).isEqualTo("<b>");
    }

    private String notes(Account by, String sent) {
        return create(
                        by,
                        "posts",
                        "{\"title\": \"Noted\", \"meta\": {\"footnotes\": \"" + sent.replace("\"", "\\\"") + "\"}}")
                .json()
                .path("meta")
                .path("footnotes")
                .asString();
    }

    private Answer change(Account by, String route, String fields) {
        return site.call("POST", route).as(by).json(fields).send();
    }

    private static String slug(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
        return answer.json().path("slug").asString();
    }

    @Test
    void anUnfinishedItemMayHaveAnotherOnesSlugUntilItIsPublished() {
        String finished = "{\"title\": \"Shared\", \"slug\": \"shared\", \"status\": \"publish\"}";
        assertThat(slug(create(EDITOR, "posts", finished))).isEqualTo("shared");
        assertThat(slug(create(EDITOR, "posts", finished.replace("publish", "draft"))))
                .isEqualTo("shared-2");

        assertThat(slug(create(EDITOR, "posts", "{\"title\": \"Shared\", \"slug\": \"shared\"}")))
                .isEqualTo("shared");
        String draft = made.get(made.size() - 1);
        assertThat(slug(change(EDITOR, draft, "{\"status\": \"pending\"}"))).isEqualTo("shared");
        assertThat(slug(change(EDITOR, draft, "{\"status\": \"private\"}"))).isEqualTo("shared-3");
        assertThat(slug(change(EDITOR, draft, "{\"status\": \"draft\"}"))).isEqualTo("shared-3");
        assertThat(slug(change(EDITOR, draft, "{\"slug\": \"shared\"}"))).isEqualTo("shared-3");
    }

    @Test
    void aPageThatIsBroughtBackUnfinishedHasTheSlugThatAnotherOneTookMeanwhile() {
        String page = "{\"title\": \"Returned\", \"status\": \"publish\"}";
        String first = make("pages", page);
        assertThat(site.call("DELETE", first).as(EDITOR).send().status()).isEqualTo(200);
        make("pages", page);

        assertThat(slug(change(EDITOR, first, "{\"status\": \"draft\"}"))).isEqualTo("returned");
        assertThat(slug(change(EDITOR, first, "{\"menu_order\": 3}"))).isEqualTo("returned");
        assertThat(slug(change(EDITOR, first, "{\"status\": \"publish\"}"))).isEqualTo("returned-2");
    }

    @ParameterizedTest
    @CsvSource({
        "2147483647, 2147483647",
        "2147483648, 2147483647",
        "99999999999, 2147483647",
        "-2147483648, -2147483648",
        "-99999999999, -2147483648"
    })
    void aPlaceAmongSiblingsHas32Bits(String sent, long placed) {
        Answer made = create(EDITOR, "pages", "{\"title\": \"Placed\", \"menu_order\": " + sent + "}");

        assertThat(made.json().path("menu_order").longValue()).isEqualTo(placed);
    }

    @Test
    void whoMayNotWriteRawHtmlCleansTheWholeItem() {
        long author = site.call("GET", "/cms/v2/users/me")
                .as(AUTHOR)
                .send()
                .json()
                .path("id")
                .longValue();
        String post = make(
                "posts",
                "{\"title\": \"T<iframe></iframe>\", \"content\": \"<p onclick='x'>C</p>\", \"excerpt\": \"<form>E</form>\","
                        + " \"author\": " + author + "}");

        JsonNode kept = change(EDITOR, post, "{\"menu_order\": 1}").json();
        assertThat(kept.path("content").path("raw").asString()).contains("onclick");

        JsonNode cleaned =
                change(AUTHOR, post, "{\"comment_status\": \"closed\"}").json();
        assertThat(cleaned.path("title").path("raw").asString()).isEqualTo("T");
        assertThat(cleaned.path("content").path("raw").asString()).isEqualTo("<p>C</p>");
        assertThat(cleaned.path("content").path("rendered").asString()).doesNotContain("onclick");
        assertThat(cleaned.path("excerpt").path("raw").asString()).isEqualTo("E");
    }

    @Test
    void theSlugOfATitleIsOneThatNobodyElseHas() {
        String named = "{\"title\": \"Named alike\", \"slug\": \"%s\", \"status\": \"publish\"}";
        make("posts", named.formatted("named-alike"));
        make("posts", named.formatted("something-else"));
        make("pages", named.formatted("something-else"));

        assertThat(site.call(
                                "GET",
                                "/cms/v2/posts",
                                Query.of("context", "edit")
                                        .add("search", "Named alike")
                                        .add("orderby", "id"))
                        .as(EDITOR)
                        .send()
                        .json()
                        .findValuesAsString("generated_slug"))
                .containsExactly("named-alike-2", "named-alike");
        assertThat(change(EDITOR, made.get(2), "{}")
                        .json()
                        .path("generated_slug")
                        .asString())
                .isEqualTo("named-alike");
        assertThat(create(EDITOR, "posts", "{\"title\": \"Named alike\"}")
                        .json()
                        .path("generated_slug")
                        .asString())
                .isEqualTo("named-alike-2");
    }

    @Test
    void aGuardedDraftThatIsSavedByItselfSaysSo() {
        String route = make("posts", "{\"title\": \"Mine\", \"password\": \"p\"}");

        assertThat(change(EDITOR, route + "/autosaves", "{\"content\": \"Saved\"}")
                        .json()
                        .path("title")
                        .path("rendered")
                        .asString())
                .isEqualTo("Protected: Mine");
        assertThat(change(EDITOR, route, "{\"excerpt\": \"E\"}")
                        .json()
                        .path("title")
                        .path("rendered")
                        .asString())
                .isEqualTo("Mine");
    }

    @Test
    void blocksAreSpelledInOneWayFromTheBeginning() {
        Answer answer = create(
                Accounts.standard().get("admin"),
                "posts",
                "{\"title\": \"B\", \"content\": \"<!-- wp:core/heading {\\\"level\\\": 4} --><h4>a</h4><!-- /wp:core/heading -->\"}");

        assertThat(answer.json().path("content").path("raw").asString())
                .isEqualTo("<!-- wp:heading {\"level\":4} --><h4>a</h4><!-- /wp:heading -->");
    }
}

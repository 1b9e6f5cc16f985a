package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What no recording shows of the arguments that posts and pages are written with. */
@OnDatabase(Database.H2)
class ItemArgumentsTest {
    private final SiteClient site;
    private final long photo;

    ItemArgumentsTest(SeededServer server) {
        site = server.site();
        photo = server.content().id("media.photo");
    }

    private String make(String collection, String fields) {
        Answer answer = create("editor", collection, fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return "/cms/v2/" + collection + "/" + answer.id();
    }

    private Answer create(String by, String collection, String fields) {
        return site.as(by).post("/cms/v2/" + collection, fields);
    }

    /** As in every other list; the other direction is the same list backwards. */
    @Test
    void ofPagesInOnePlaceTheNewestComesFirst() {
        String older = make("pages", "{\"title\": \"P\", \"status\": \"publish\", \"menu_order\": 77}");
        String newer = make("pages", "{\"title\": \"P\", \"status\": \"publish\", \"menu_order\": 77}");

        assertThat(placed("asc")).containsExactly(newer, older);
        assertThat(placed("desc")).containsExactly(older, newer);
    }

    private List<String> placed(String order) {
        return site.get("/cms/v2/pages?menu_order=77&orderby=menu_order&_fields=id&order=" + order)
                .json()
                .valueStream()
                .map(page -> "/cms/v2/pages/" + page.path("id").longValue())
                .toList();
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

        JsonNode found = site.get("/cms/v2/posts?search=zebrafish quokka&orderby=relevance&_fields=id")
                .json();

        assertThat(found.valueStream()
                        .map(item -> "/cms/v2/posts/" + item.path("id").longValue()))
                .containsExactlyElementsOf(wanted);
    }

    private static String publishedBy(String field, String value) {
        return "{\"status\":\"publish\",\"" + field + "\":" + value + "}";
    }

    /** Ignored, it would be lost: the client believes that it was stored. */
    @ParameterizedTest
    @CsvSource({
        "posts, title",
        "posts, content",
        "posts, excerpt",
        "pages, title",
        "pages, content",
        "media, title",
        "media, caption",
        "media, description",
    })
    void whatIsNoTextIsRejectedAndNothingChanges(String collection, String field) {
        boolean isFile = collection.equals("media");
        String item = isFile
                ? "/cms/v2/media/" + photo
                : make(collection, "{\"title\": \"T\", \"content\": \"C\", \"excerpt\": \"E\"}");
        String before =
                site.as("editor").get(item + "?context=edit&_fields=" + field).text();
        for (String raw : List.of("[{\"type\": \"paragraph\"}]", "{\"a\": 1}", "[]")) {
            String sent = "{\"" + field + "\": {\"raw\": " + raw + "}}";
            List<Answer> answers = isFile
                    ? List.of(site.as("editor").post(item, sent))
                    : List.of(
                            create("editor", collection, sent),
                            site.as("editor").post(item, sent),
                            site.as("editor").post(item + "/autosaves", sent));
            for (Answer answer : answers) {
                assertThat(answer.status()).as(answer.text()).isEqualTo(400);
                assertThat(answer.text("/code")).isEqualTo("rest_invalid_param");
                assertThat(answer.json().at("/data/params").propertyNames()).containsExactly(field);
            }
        }
        assertThat(site.as("editor")
                        .get(item + "?context=edit&_fields=" + field)
                        .text())
                .isEqualTo(before);
    }

    @Test
    void aBatchMayBeAForm() {
        Query form = Query.of("requests[0][path]", "/cms/v2/posts")
                .add("requests[0][body][title][raw]", "In a form")
                .add("requests[0][body][meta][footnotes]", "[1]");

        JsonNode member = site.as("editor")
                .call("POST", "/batch/v1")
                .form(form)
                .send()
                .json()
                .at("/responses/0");
        site.as("editor").delete("/cms/v2/posts/" + member.at("/body/id").longValue() + "?force=true");

        assertThat(member.path("status").intValue()).isEqualTo(201);
        assertThat(member.at("/body/title/raw").asString()).isEqualTo("In a form");
        assertThat(member.at("/body/meta/footnotes").asString()).isEqualTo("[1]");
    }

    @Test
    void notesOfWhoMayNotWriteRawHtmlAreCleaned() {
        String sent = "[{'id': 'A b-1', 'content': '<i onclick=x>é</i><script>x</script>'}, {'id': '2'}, 3]";

        assertThat(notes("author", sent.replace('\'', '"')))
                .isEqualTo("[{\"id\":\"ab-1\",\"content\":\"<i>\\u00e9<\\/i>x\"}]");
        assertThat(notes("author", "[]")).isEqualTo("[]");
        assertThat(notes("author", "<script>")).isEmpty();
        assertThat(notes("editor", "<b>")).isEqualTo("<b>");
    }

    private String notes(String by, String sent) {
        return create(
                        by,
                        "posts",
                        "{\"title\": \"Noted\", \"meta\": {\"footnotes\": \"" + sent.replace("\"", "\\\"") + "\"}}")
                .text("/meta/footnotes");
    }

    private Answer change(String by, String route, String fields) {
        return site.as(by).post(route, fields);
    }

    private static String slug(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
        return answer.text("/slug");
    }

    @Test
    void anUnfinishedItemMayHaveAnotherOnesSlugUntilItIsPublished() {
        String finished = "{\"title\": \"Shared\", \"slug\": \"shared\", \"status\": \"publish\"}";
        assertThat(slug(create("editor", "posts", finished))).isEqualTo("shared");
        assertThat(slug(create("editor", "posts", finished.replace("publish", "draft"))))
                .isEqualTo("shared-2");

        Answer unfinished = create("editor", "posts", "{\"title\": \"Shared\", \"slug\": \"shared\"}");
        assertThat(slug(unfinished)).isEqualTo("shared");
        String draft = "/cms/v2/posts/" + unfinished.id();
        assertThat(slug(change("editor", draft, "{\"status\": \"pending\"}"))).isEqualTo("shared");
        assertThat(slug(change("editor", draft, "{\"status\": \"private\"}"))).isEqualTo("shared-3");
        assertThat(slug(change("editor", draft, "{\"status\": \"draft\"}"))).isEqualTo("shared-3");
        assertThat(slug(change("editor", draft, "{\"slug\": \"shared\"}"))).isEqualTo("shared-3");
    }

    @Test
    void aPageThatIsBroughtBackUnfinishedHasTheSlugThatAnotherOneTookMeanwhile() {
        String page = "{\"title\": \"Returned\", \"status\": \"publish\"}";
        String first = make("pages", page);
        assertThat(site.as("editor").delete(first).status()).isEqualTo(200);
        make("pages", page);

        assertThat(slug(change("editor", first, "{\"status\": \"draft\"}"))).isEqualTo("returned");
        assertThat(slug(change("editor", first, "{\"menu_order\": 3}"))).isEqualTo("returned");
        assertThat(slug(change("editor", first, "{\"status\": \"publish\"}"))).isEqualTo("returned-2");
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
        Answer made = create("editor", "pages", "{\"title\": \"Placed\", \"menu_order\": " + sent + "}");

        assertThat(made.number("/menu_order")).isEqualTo(placed);
    }

    @Test
    void whoMayNotWriteRawHtmlCleansTheWholeItem() {
        long author = site.as("author").get("/cms/v2/users/me").id();
        String post = make(
                "posts",
                "{\"title\": \"T<iframe></iframe>\", \"content\": \"<p onclick='x'>C</p>\", \"excerpt\": \"<form>E</form>\","
                        + " \"author\": " + author + "}");

        JsonNode kept = change("editor", post, "{\"menu_order\": 1}").json();
        assertThat(kept.at("/content/raw").asString()).contains("onclick");

        JsonNode cleaned =
                change("author", post, "{\"comment_status\": \"closed\"}").json();
        assertThat(cleaned.at("/title/raw").asString()).isEqualTo("T");
        assertThat(cleaned.at("/content/raw").asString()).isEqualTo("<p>C</p>");
        assertThat(cleaned.at("/content/rendered").asString()).doesNotContain("onclick");
        assertThat(cleaned.at("/excerpt/raw").asString()).isEqualTo("E");
    }

    @Test
    void theSlugOfATitleIsOneThatNobodyElseHas() {
        String named = "{\"title\": \"Named alike\", \"slug\": \"%s\", \"status\": \"publish\"}";
        make("posts", named.formatted("named-alike"));
        make("posts", named.formatted("something-else"));
        String page = make("pages", named.formatted("something-else"));

        assertThat(site.as("editor")
                        .get("/cms/v2/posts?context=edit&search=Named alike&orderby=id")
                        .json()
                        .findValuesAsString("generated_slug"))
                .containsExactly("named-alike-2", "named-alike");
        assertThat(change("editor", page, "{}").text("/generated_slug")).isEqualTo("named-alike");
        assertThat(create("editor", "posts", "{\"title\": \"Named alike\"}").text("/generated_slug"))
                .isEqualTo("named-alike-2");
    }

    @Test
    void aGuardedDraftThatIsSavedByItselfSaysSo() {
        String route = make("posts", "{\"title\": \"Mine\", \"password\": \"p\"}");

        assertThat(change("editor", route + "/autosaves", "{\"content\": \"Saved\"}")
                        .text("/title/rendered"))
                .isEqualTo("Protected: Mine");
        assertThat(change("editor", route, "{\"excerpt\": \"E\"}").text("/title/rendered"))
                .isEqualTo("Mine");
    }

    @Test
    void blocksAreSpelledInOneWayFromTheBeginning() {
        Answer answer = create(
                "admin",
                "posts",
                "{\"title\": \"B\", \"content\": \"<!-- wp:core/heading {\\\"level\\\": 4} --><h4>a</h4><!-- /wp:core/heading -->\"}");

        assertThat(answer.text("/content/raw"))
                .isEqualTo("<!-- wp:heading {\"level\":4} --><h4>a</h4><!-- /wp:heading -->");
    }
}

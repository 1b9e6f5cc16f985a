package io.github.ratelimit.content.cms.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What no recording shows of the wordings that an item had, and of those that a tool saves beside it. */
@OnDatabase(Database.H2)
class WordingsTest {
    private final SiteClient editor;

    WordingsTest(SeededServer server) {
        editor = server.site().as("editor");
    }

    private String make(String collection, String fields) {
        Answer answer = editor.post("/cms/v2/" + collection, fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return "/cms/v2/" + collection + "/" + answer.id();
    }

    private JsonNode get(String route) {
        return editor.get(route).json();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"content\": \"One  two\\r\\n\\r\\n\\r\\nthree\\t \"} | 1",
                "{\"content\": \"One two three\"} | 2",
                "{\"content\": \"One two\\n\\nThree\"} | 2",
                "{\"meta\": {\"footnotes\": \"[1]\"}} | 2",
                "{\"meta\": {\"footnotes\": \"\"}} | 1",
                "{\"slug\": \"one-two-three\"} | 1"
            })
    void anotherWordingHasOtherWordsOrFootnotesAndNotOtherSpaces(String change, int kept) {
        String post = make("posts", "{\"title\": \"Spaced\", \"content\": \"One two\\n\\nthree\"}");
        editor.post(post, "{\"excerpt\": \"The first that is kept\"}");

        assertThat(editor.post(post, change).status()).isEqualTo(200);

        assertThat(get(post + "/revisions")).hasSize(kept);
    }

    @Test
    void aWordingThatWasStoredWithFootnotesThatAreNoneIsKeptByTheNextUpdate() {
        String post = make("posts", "{\"title\": \"Noted\"}");

        Answer rejected = editor.post(post, "{\"title\": \"Noted anew\", \"meta\": {\"footnotes\": [1]}}");

        assertThat(rejected.status()).isEqualTo(400);
        assertThat(get(post).at("/title/rendered").asString()).isEqualTo("Noted anew");
        assertThat(get(post + "/revisions")).isEmpty();
        assertThat(editor.post(post, "{}").status()).isEqualTo(200);
        assertThat(get(post + "/revisions")).hasSize(1);
    }

    @Test
    void anAutosaveHasTheFootnotesThatWereSentElseThoseOfTheItem() {
        String post =
                make("posts", "{\"title\": \"Noted\", \"status\": \"publish\", \"meta\": {\"footnotes\": \"[1]\"}}");
        String autosaves = post + "/autosaves";

        assertThat(footnotes(
                        editor.post(autosaves, "{\"title\": \"Noted more\"}").json()))
                .isEqualTo("[1]");
        assertThat(footnotes(editor.post(autosaves, "{\"meta\": {\"footnotes\": \"[2]\"}}")
                        .json()))
                .isEqualTo("[2]");
        assertThat(footnotes(get(autosaves).path(0))).isEqualTo("[2]");
        assertThat(footnotes(get(post))).isEqualTo("[1]");
    }

    private static String footnotes(JsonNode item) {
        return item.at("/meta/footnotes").asString();
    }

    @Test
    void aDraftThatIsSavedByItselfShowsNoExcerptThatNobodyWrote() {
        String draft = make("posts", "{\"title\": \"Begun\", \"content\": \"Some words.\"}");

        JsonNode saved =
                editor.post(draft + "/autosaves", "{\"title\": \"Begun well\"}").json();
        JsonNode written =
                editor.post(draft + "/autosaves", "{\"excerpt\": \"In short\"}").json();

        assertThat(saved.at("/excerpt/rendered").asString()).isEmpty();
        assertThat(written.at("/excerpt/rendered").asString()).contains("In short");
    }

    @Test
    void aDraftThatIsSavedByItselfShowsNoDateThatNobodyChose() {
        String undated = make("posts", "{\"title\": \"Begun\"}");
        String dated = make("posts", "{\"title\": \"Begun\", \"date\": \"2024-01-31T10:00:00\"}");

        JsonNode none =
                editor.post(undated + "/autosaves", "{\"title\": \"More\"}").json();
        JsonNode some =
                editor.post(dated + "/autosaves", "{\"title\": \"More\"}").json();

        assertThat(none.path("date").isNull() && none.path("date_gmt").isNull()).isTrue();
        assertThat(some.path("date").asString()).isEqualTo("2024-01-31T10:00:00");
    }

    @Test
    void aDraftThatIsSavedByItselfMayTakeTheSlugOfAnotherItem() {
        make("posts", "{\"title\": \"Taken\", \"slug\": \"taken\", \"status\": \"publish\"}");
        String draft = make("posts", "{\"title\": \"Second\"}");

        assertThat(editor.post(draft + "/autosaves", "{\"slug\": \"taken\"}").text("/slug"))
                .isEqualTo("taken");
        assertThat(editor.post(draft, "{\"status\": \"publish\"}").text("/slug"))
                .isEqualTo("taken-2");
    }

    @Test
    void aPageThatIsSavedByItselfMayBeMoved() {
        String above = make("pages", "{\"title\": \"Above\"}");
        String draft = make(
                "pages", "{\"title\": \"Below\", \"parent\": " + above.substring(above.lastIndexOf('/') + 1) + "}");

        Answer answer = editor.post(draft + "/autosaves", "{\"parent\": null}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(get(draft).path("parent").longValue()).isZero();
    }

    @Test
    void aDraftThatIsSavedByItselfLeadsToThePageAboveIt() {
        String above = make("pages", "{\"title\": \"Above\", \"status\": \"publish\"}");
        long parent = Long.parseLong(above.substring(above.lastIndexOf('/') + 1));
        String draft = make("pages", "{\"title\": \"Below\", \"parent\": " + parent + "}");

        JsonNode saved =
                editor.post(draft + "/autosaves", "{\"title\": \"Below it\"}").json();

        assertThat(saved.path("parent").longValue()).isEqualTo(parent);
        assertThat(saved.at("/_links/parent/0/href").asString())
                .isEqualTo(editor.base() + "/index.php?rest_route=" + above);
    }
}

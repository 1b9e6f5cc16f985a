package io.github.ratelimit.content.cms.revision;

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

/** What no recording shows of the wordings that an item had, and of those that a tool saves beside it. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class WordingsTest {
    private static final Account EDITOR = Accounts.standard().get("editor");

    private final SiteClient site;
    private final List<String> made = new ArrayList<>();

    WordingsTest(SeededServer server) {
        site = server.site();
    }

    @AfterEach
    void clear() {
        made.forEach(route ->
                site.call("DELETE", route, Query.of("force", "true")).as(EDITOR).send());
    }

    private String make(String collection, String fields) {
        Answer answer = send("/cms/v2/" + collection, fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        String route = "/cms/v2/" + collection + "/" + answer.json().path("id").longValue();
        made.add(0, route);
        return route;
    }

    private Answer send(String route, String fields) {
        return site.call("POST", route).as(EDITOR).json(fields).send();
    }

    private JsonNode get(String route) {
        return site.call("GET", route).as(EDITOR).send().json();
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
        send(post, "{\"excerpt\": \"The first that is kept\"}");

        assertThat(send(post, change).status()).isEqualTo(200);

        assertThat(get(post + "/revisions")).hasSize(kept);
    }

    @Test
    void aWordingThatWasStoredWithFootnotesThatAreNoneIsKeptByTheNextUpdate() {
        String post = make("posts", "{\"title\": \"Noted\"}");

        Answer rejected = send(post, "{\"title\": \"Noted anew\", \"meta\": {\"footnotes\": [1]}}");

        assertThat(rejected.status()).isEqualTo(400);
        assertThat(get(post).path("title").path("rendered").asString()).isEqualTo("Noted anew");
        assertThat(get(post + "/revisions")).isEmpty();
        assertThat(send(post, "{}").status()).isEqualTo(200);
        assertThat(get(post + "/revisions")).hasSize(1);
    }

    @Test
    void anAutosaveHasTheFootnotesThatWereSentElseThoseOfTheItem() {
        String post =
                make("posts", "{\"title\": \"Noted\", \"status\": \"publish\", \"meta\": {\"footnotes\": \"[1]\"}}");
        String autosaves = post + "/autosaves";

        assertThat(footnotes(send(autosaves, "{\"title\": \"Noted more\"}").json()))
                .isEqualTo("[1]");
        assertThat(footnotes(
                        send(autosaves, "{\"meta\": {\"footnotes\": \"[2]\"}}").json()))
                .isEqualTo("[2]");
        assertThat(footnotes(get(autosaves).path(0))).isEqualTo("[2]");
        assertThat(footnotes(get(post))).isEqualTo("[1]");
    }

    private static String footnotes(JsonNode item) {
        return item.path("meta").path("footnotes").asString();
    }

    @Test
    void aDraftThatIsSavedByItselfShowsNoExcerptThatNobodyWrote() {
        String draft = make("posts", "{\"title\": \"Begun\", \"content\": \"Some words.\"}");

        JsonNode saved =
                send(draft + "/autosaves", "{\"title\": \"Begun well\"}").json();
        JsonNode written =
                send(draft + "/autosaves", "{\"excerpt\": \"In short\"}").json();

        assertThat(saved.path("excerpt").path("rendered").asString()).isEmpty();
        assertThat(written.path("excerpt").path("rendered").asString()).contains("In short");
    }

    @Test
    void aDraftThatIsSavedByItselfShowsNoDateThatNobodyChose() {
        String undated = make("posts", "{\"title\": \"Begun\"}");
        String dated = make("posts", "{\"title\": \"Begun\", \"date\": \"2024-01-31T10:00:00\"}");

        JsonNode none = send(undated + "/autosaves", "{\"title\": \"More\"}").json();
        JsonNode some = send(dated + "/autosaves", "{\"title\": \"More\"}").json();

        assertThat(none.path("date").isNull() && none.path("date_gmt").isNull()).isTrue();
        assertThat(some.path("date").asString()).isEqualTo("2024-01-31T10:00:00");
    }

    @Test
    void aDraftThatIsSavedByItselfMayTakeTheSlugOfAnotherItem() {
        make("posts", "{\"title\": \"Taken\", \"slug\": \"taken\", \"status\": \"publish\"}");
        String draft = make("posts", "{\"title\": \"Second\"}");

        assertThat(send(draft + "/autosaves", "{\"slug\": \"taken\"}")
                        .json()
                        .path("slug")
                        .asString())
                .isEqualTo("taken");
        assertThat(send(draft, "{\"status\": \"publish\"}").json().path("slug").asString())
                .isEqualTo("taken-2");
    }

    @Test
    void aPageThatIsSavedByItselfMayBeMoved() {
        String above = make("pages", "{\"title\": \"Above\"}");
        String draft = make(
                "pages", "{\"title\": \"Below\", \"parent\": " + above.substring(above.lastIndexOf('/') + 1) + "}");

        Answer answer = send(draft + "/autosaves", "{\"parent\": null}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(get(draft).path("parent").longValue()).isZero();
    }

    @Test
    void aDraftThatIsSavedByItselfLeadsToThePageAboveIt() {
        String above = make("pages", "{\"title\": \"Above\", \"status\": \"publish\"}");
        long parent = Long.parseLong(above.substring(above.lastIndexOf('/') + 1));
        String draft = make("pages", "{\"title\": \"Below\", \"parent\": " + parent + "}");

        JsonNode saved = send(draft + "/autosaves", "{\"title\": \"Below it\"}").json();

        assertThat(saved.path("parent").longValue()).isEqualTo(parent);
        assertThat(saved.path("_links").path("parent").path(0).path("href").asString())
                .isEqualTo(site.base() + "/index.php?rest_route=" + above);
    }
}

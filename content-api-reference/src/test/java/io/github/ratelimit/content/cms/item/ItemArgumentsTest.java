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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What no recording shows of the arguments that posts and pages are written with. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class ItemArgumentsTest {
    private static final Account EDITOR = Accounts.standard().get("editor");
    private static final Account AUTHOR = Accounts.standard().get("author");
    private static final Account SUBSCRIBER = Accounts.standard().get("subscriber");

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

    private static String code(Answer answer) {
        return answer.json().path("code").asString("");
    }

    /** The embedded database counts them twice, as Java does. */
    @Test
    void passwordOfCharactersThatCountTwiceIsRefusedWhereItsColumnDoesNotHoldIt() {
        String most = "\ud83d\ude00".repeat(127);

        make("posts", "{\"title\": \"Most\", \"password\": \"" + most + "\"}");
        Answer refused = create(EDITOR, "posts", "{\"title\": \"More\", \"password\": \"" + most + "ab\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("data").path("params").path("password").stringValue())
                .isEqualTo("password must be at most 255 characters long.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"0\"", "\"\"", "false", "[]"})
    void anIdThatSaysNothingIsThatOfNoItem(String id) {
        Answer answer = create(EDITOR, "posts", "{\"title\": \"New\", \"id\": " + id + "}");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(code(answer)).isEqualTo("rest_post_invalid_id");
        assertThat(code(create(SUBSCRIBER, "posts", "{\"title\": \"New\", \"id\": " + id + "}")))
                .isEqualTo("rest_cannot_create");
    }

    @Test
    void fieldsAreComplainedAboutBeforeTheIdOfAnItem() {
        Answer answer = site.call("POST", make("posts", "{\"title\": \"Twice\"}"))
                .as(EDITOR)
                .json("{\"id\": \"x\", \"status\": \"lost\", \"sticky\": \"perhaps\"}")
                .send();

        assertThat(answer.json().path("data").path("params").propertyNames())
                .containsExactlyInAnyOrder("status", "sticky");
    }

    @Test
    void anIdOfNullIsNone() {
        assertThat(create(EDITOR, "posts", "{\"title\": \"New\", \"id\": null}").status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({"PUT,id", "DELETE,id", "DELETE,force"})
    void whatNamesAnItemOrForcesItsDeletionIsNotNull(String method, String name) {
        Answer answer = site.call(method, make("pages", "{\"title\": \"Null\"}"))
                .as(EDITOR)
                .json("{\"" + name + "\": null}")
                .send();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json()
                        .path("data")
                        .path("details")
                        .path(name)
                        .path("code")
                        .asString())
                .isEqualTo("rest_invalid_type");
    }

    @ParameterizedTest
    @CsvSource({
        "false,201",
        "0,201",
        "'\"0\"',201",
        "[],201",
        "null,201",
        "'\"false\"',400",
        "true,400",
        "'[\"x\"]',400"
    })
    void theUsualTemplateHasNoName(String template, int status) {
        Answer answer = create(EDITOR, "pages", "{\"title\": \"Shown\", \"template\": " + template + "}");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().path("template").asString("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true,1", "false,''", "5,5", "null,before", "[],before"})
    void aRawTextMayBeANumberOrAFlag(String raw, String content) {
        String post = make("posts", "{\"title\": \"Raw\", \"content\": \"before\"}");

        Answer answer = site.call("POST", post)
                .as(EDITOR)
                .json("{\"content\": {\"raw\": " + raw + "}}")
                .send();

        assertThat(answer.json().path("content").path("raw").asString()).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource({"PUT,Named anew", "PATCH,Named anew", "POST,Named"})
    void aBodyWithoutATypeIsAFormButForAPost(String method, String title) {
        Answer answer = site.call(method, make("posts", "{\"title\": \"Named\"}"))
                .as(EDITOR)
                .body("title=Named+anew".getBytes(StandardCharsets.UTF_8))
                .send();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("title").path("raw").asString()).isEqualTo(title);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json,Named anew",
        "Application/LD+JSON; charset=utf-8,Named anew",
        "application/json+oembed,Named anew",
        "text/json,Named",
        "application/jsonp,Named",
        "application/xml+oembed,Named"
    })
    void jsonIsReadByTheTypesThatSaySo(String type, String title) {
        Answer answer = site.call("POST", make("posts", "{\"title\": \"Named\"}"))
                .as(EDITOR)
                .header("Content-Type", type)
                .body("{\"title\": \"Named anew\"}".getBytes(StandardCharsets.UTF_8))
                .send();

        assertThat(answer.json().path("title").path("raw").asString()).isEqualTo(title);
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

    @Test
    void theSignOfATermIsNotLookedAt() {
        assertThat(create(EDITOR, "posts", "{\"title\": \"Sorted\", \"categories\": [-1]}")
                        .json()
                        .path("categories")
                        .path(0)
                        .intValue())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"categories", "tags"})
    void noTermIsRefusedToEverybody(String taxonomy) {
        Answer made = create(EDITOR, "posts", "{\"title\": \"Sorted\", \"" + taxonomy + "\": [0]}");
        Answer changed = site.call("POST", make("posts", "{\"title\": \"Sorted\"}"))
                .as(EDITOR)
                .json("{\"" + taxonomy + "\": \"0\"}")
                .send();

        assertThat(made.status()).isEqualTo(403);
        assertThat(code(made)).isEqualTo("rest_cannot_assign_term");
        assertThat(code(changed)).isEqualTo("rest_cannot_assign_term");
    }

    @Test
    void wishForNoTermTakesRightsWhereThereAreTermsOnly() {
        for (String type : List.of("posts", "pages", "media")) {
            Answer listed = site.call("GET", "/cms/v2/" + type, Query.of("tags[]", ""))
                    .as(EDITOR)
                    .send();
            assertThat(listed.header("Allow").orElseThrow().contains("POST"))
                    .as(type)
                    .isEqualTo(!type.equals("posts"));
        }
        Answer made = create(EDITOR, "posts", "{\"title\": \"Sorted\", \"tags\": [null]}");
        assertThat(made.status()).isEqualTo(400);
        assertThat(made.header("Allow")).contains("GET");
    }

    @Test
    void anEmptyListMayBeWrittenAsAnEmptyObject() {
        assertThat(create(EDITOR, "posts", "{\"title\": \"Sorted\", \"categories\": {}}")
                        .json()
                        .path("categories")
                        .size())
                .isZero();
        assertThat(site.call("POST", "/batch/v1")
                        .as(EDITOR)
                        .json("{\"requests\": {}}")
                        .send()
                        .status())
                .isEqualTo(207);
    }

    @Test
    void aPageIsNoMoreStickyThanAPost() {
        assertThat(code(create(AUTHOR, "pages", "{\"title\": \"Stuck\", \"sticky\": true}")))
                .isEqualTo("rest_cannot_assign_sticky");
        assertThat(create(EDITOR, "pages", "{\"title\": \"Stuck\", \"sticky\": true}")
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "author,sticky,true,'GET, POST'",
        "contributor,sticky,true,GET",
        "contributor,sticky,yes,GET",
        "author,sticky,yes,'GET, POST'",
        "author,author,0,GET",
        "author,author,3,GET",
        "author,author,'','GET, POST'",
        "editor,author,3,'GET, POST'",
        "editor,categories,'',GET",
        "editor,tags[],'',GET",
        "editor,categories[include_children],false,GET",
        "editor,categories[include_children],true,'GET, POST'",
        "editor,tags[include_children],false,'GET, POST'",
        "editor,tags,1,'GET, POST'"
    })
    void aListTellsByItsConditionsWhetherSuchAPostMayBeMade(String by, String name, String value, String allowed) {
        assertThat(site.call("GET", "/cms/v2/posts", Query.of(name, value))
                        .as(Accounts.standard().get(by))
                        .send()
                        .header("Allow"))
                .contains(allowed);
    }

    @ParameterizedTest
    @CsvSource({"[],true", "{},true", "false,true", "[3],false", "true,false", "'\"x\"',false"})
    void anAuthorThatIsNothingIsNobodyElseInTheMethodsThatAreAllowed(String author, boolean isAllowed) {
        Answer answer = create(AUTHOR, "posts", "{\"title\": \"Written\", \"author\": " + author + "}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Allow")).contains(isAllowed ? "GET, POST" : "GET");
    }

    @Test
    void aStatusWithoutANameIsNoneAndNothingButSuchAsksForAll() {
        make("posts", "{\"title\": \"Nameless status\", \"status\": \"draft\"}");
        Query nameless =
                Query.of("status[]", "").add("search", "Nameless status").add("_fields", "status");

        assertThat(site.call("GET", "/cms/v2/posts", nameless).as(EDITOR).send().text())
                .isEqualTo("[{\"status\":\"draft\"}]");
        assertThat(site.call("GET", "/cms/v2/posts", nameless.add("status[]", "publish"))
                        .as(EDITOR)
                        .send()
                        .text())
                .isEqualTo("[]");
        assertThat(site.call("GET", "/cms/v2/media", Query.of("status[]", "").add("_fields", "status"))
                        .as(EDITOR)
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(site.call("GET", "/cms/v2/posts", nameless).send().status()).isEqualTo(400);
    }

    @Test
    void aStatusThatIsAskedForTwiceIsOneInFurtherPages() {
        Answer answer = site.call(
                        "GET", "/cms/v2/posts", Query.of("per_page", "1").add("status", "publish,Publish"))
                .send();

        assertThat(answer.header("Link").orElse("")).contains("&status%5B0%5D=publish&page=2>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ","})
    void furtherPagesOfFilesAreAskedForWithTheEmptyStatusThatWasSent(String nothing) {
        Answer answer = site.call(
                        "GET", "/cms/v2/media", Query.of("per_page", "1").add("status", nothing))
                .send();

        assertThat(answer.json()).hasSize(1);
        assertThat(answer.header("Link").orElse(""))
                .contains("&per_page=1&page=2>")
                .doesNotContain("inherit");
    }

    @Test
    void aSlugOfZeroIsNone() {
        String zero = "\"slug\": \"0\", \"status\": \"publish\"}";
        Answer created = create(EDITOR, "pages", "{\"title\": \"Zero wished\", " + zero);
        assertThat(created.json().path("slug").asString()).isEqualTo("zero-wished");

        String route = make("posts", "{\"title\": \"Zero later\", \"slug\": \"named\"}");
        assertThat(change(EDITOR, route, "{" + zero).json().path("slug").asString())
                .isEqualTo("zero-later");
    }

    @Test
    void furtherPagesAreAskedForWithEverySignEscaped() {
        Answer answer = site.call(
                        "GET", "/cms/v2/posts", Query.of("per_page", "1").add("x", "a*b~c"))
                .send();

        assertThat(answer.header("Link").orElse("")).contains("&x=a%2Ab%7Ec&page=2>");
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
    void theIdOfABodyNamesWhatIsSavedByItself() {
        String post = make("posts", "{\"title\": \"Saved\"}");

        assertThat(code(change(EDITOR, post + "/autosaves", "{\"title\": \"Other\", \"id\": 999999}")))
                .isEqualTo("rest_post_invalid_id");
        assertThat(change(EDITOR, post + "/autosaves", "{\"title\": \"Other\"}").status())
                .isEqualTo(200);
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

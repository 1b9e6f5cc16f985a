package io.github.ratelimit.content.cms.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What clients of this kind of interface expect of categories, tags, types and taxonomies; the interface's document does not show them. */
@OnDatabase(Database.H2)
class TermRoutesTest {
    private final SiteClient site;
    private final long events;
    private final long news;

    TermRoutesTest(SeededServer server) {
        site = server.site();
        events = server.content().id("categories.events");
        news = server.content().id("categories.news");
    }

    @Test
    void termsAreListedInTheOrderInWhichTheyAreNamed() {
        long local = make("categories", named("Listed").put("parent", events)).id();
        String ids = news + "," + local + "," + events;

        assertThat(slugs("categories?orderby=include&include=" + ids)).containsExactly("news", "listed", "events");
        assertThat(slugs("categories?orderby=include&order=desc&include=" + ids))
                .containsExactly("events", "listed", "news");
        assertThat(slugs("categories?orderby=include&page=2&per_page=2&include=" + ids))
                .containsExactly("events");
        assertThat(slugs("tags?slug=red,blue,green&orderby=include_slugs")).containsExactly("red", "blue", "green");
        assertThat(slugs("tags?orderby=include")).as("no names are no order").containsExactly("blue", "green", "red");
    }

    /** Asks for all that is declared, so that a text which is declared one day is asked for, too. */
    @Test
    void everyTextOfATermIsStoredWhenItIsMadeAndWhenItIsChanged() {
        List<String> texts = new ArrayList<>();
        site.call("OPTIONS", "/cms/v2/categories").send().json().at("/schema/properties").properties().stream()
                .filter(property ->
                        property.getValue().path("type").asString("").equals("string"))
                .filter(property -> !property.getValue().path("readonly").asBoolean(false))
                .map(Map.Entry::getKey)
                .filter(name -> !name.equals("taxonomy"))
                .forEach(texts::add);
        assertThat(texts).contains("name", "slug", "description");

        String route =
                "/cms/v2/categories/" + make("categories", texts("made", texts)).id();
        assertThat(shown(route, texts)).isEqualTo(texts("made", texts));
        site.as("editor")
                .call("PATCH", route)
                .json(texts("changed", texts).toString())
                .send();
        assertThat(shown(route, texts)).isEqualTo(texts("changed", texts));
    }

    private static ObjectNode texts(String word, List<String> names) {
        ObjectNode texts = JsonNodeFactory.instance.objectNode();
        names.forEach(name -> texts.put(name, word + "-" + name));
        return texts;
    }

    private ObjectNode shown(String route, List<String> names) {
        JsonNode term = site.get(route).json();
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        names.forEach(name -> shown.set(name, term.path(name)));
        return shown;
    }

    @Test
    void whoMayOnlyMakeTagsDoesNotSeeThemAsTheirEditors() {
        long red = site.get("/cms/v2/tags?slug=red").number("/0/id");
        for (String route : List.of("/cms/v2/tags", "/cms/v2/tags/" + red, "/cms/v2/categories")) {
            for (String role : List.of("author", "contributor")) {
                Answer answer = site.as(role).get(route + "?context=edit");
                assertThat(answer.status()).as(role + " " + route).isEqualTo(403);
                assertThat(answer.code()).isEqualTo("rest_forbidden_context");
            }
        }
        assertThat(write("contributor", "tags", named("Made by a contributor")).status())
                .isEqualTo(201);
    }

    @Test
    void descriptionsHoldWhatATitleMayHoldWhoeverWritesThem() {
        for (String role : List.of("contributor", "admin")) {
            ObjectNode sent = named("Described by " + role)
                    .put("description", "<b>so</b> <script>x()</script><img src=x onerror=y()>");
            JsonNode made = write(role, "tags", sent).json();
            assertThat(made.path("description").asString()).as(role).isEqualTo("<b>so</b> x()");
        }
    }

    @Test
    void categoryWhoseSlugIsTakenIsNamedAfterWhatItStandsBelow() {
        assertThat(slug("categories", named("News").put("parent", events))).isEqualTo("news-events");
        assertThat(slug("categories", named("Other news").put("slug", "news").put("parent", events)))
                .isEqualTo("news-events-2");
        assertThat(slug("categories", named("Top news").put("slug", "news"))).isEqualTo("news-2");
        assertThat(slug("tags", named("News"))).as("of another taxonomy").isEqualTo("news");
    }

    @Test
    void twoTermsSideBySideHaveOneNameOnlyWithASlugOfTheirOwn() {
        assertExists("categories", named("News"), news);
        assertExists("categories", named("news").put("slug", "news"), news);
        assertExists("categories", named("News").put("slug", "events"), events);
        assertThat(slug("categories", named("News").put("slug", "fresh"))).isEqualTo("fresh");
        long tag = make("tags", named("Twice")).id();
        assertExists("tags", named("twice"), tag);
        assertThat(slug("tags", named("Twice").put("slug", "twice-more"))).isEqualTo("twice-more");
    }

    @Test
    void tagStandsBelowNothing() {
        Answer answer = write("editor", "tags", named("Below").put("parent", 1));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("rest_taxonomy_not_hierarchical");
    }

    @Test
    void nameIsOneLineWithoutMarkup() {
        assertThat(make("tags", named(" <b>Bold</b>\n name <script>x()</script>"))
                        .text("/name"))
                .isEqualTo("Bold name");
    }

    @Test
    void typesAndTaxonomiesAreDescribedForLinks() {
        JsonNode types = site.as("subscriber").get("/cms/v2/types").json();
        JsonNode category =
                site.as("subscriber").get("/cms/v2/taxonomies/category").json();

        assertThat(types.propertyNames()).containsExactly("post", "page", "attachment");
        assertThat(types.at("/page/hierarchical").asBoolean(false)).isTrue();
        assertThat(types.at("/post/rest_base").asString("")).isEqualTo("posts");
        assertThat(types.at("/post/taxonomies").values())
                .extracting(JsonNode::stringValue)
                .containsExactly("category", "post_tag");
        assertThat(category.at("/types/0").asString("")).isEqualTo("post");
        assertThat(site.as("contributor").get("/cms/v2/types/post?context=edit").status())
                .isEqualTo(200);
        assertThat(site.as("subscriber").get("/cms/v2/types?context=edit").status())
                .isEqualTo(403);
        assertThat(site.as("subscriber").get("/cms/v2/taxonomies/wibble").status())
                .isEqualTo(404);
    }

    private void assertExists(String collection, ObjectNode term, long known) {
        Answer answer = write("editor", collection, term);
        assertThat(answer.status()).as(term.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("term_exists");
        assertThat(answer.number("/data/term_id")).isEqualTo(known);
        assertThat(answer.json().path("additional_data").toString()).isEqualTo("[" + known + "," + known + "]");
    }

    @Test
    void aNameOfNothingAndATakenSlugAreNoTerms() {
        long tag = make("tags", named("Renamed")).id();

        assertError(write("editor", "tags", named("  ")), 400, "empty_term_name");
        assertError(write("editor", "tags/" + tag, named("")), 400, "empty_term_name");
        assertError(write("editor", "tags/" + tag, named("Renamed").put("slug", "red")), 400, "duplicate_term_slug");
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
    }

    private static ObjectNode named(String name) {
        return JsonNodeFactory.instance.objectNode().put("name", name);
    }

    private Answer make(String collection, ObjectNode term) {
        Answer answer = write("editor", collection, term);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private String slug(String collection, ObjectNode term) {
        return make(collection, term).text("/slug");
    }

    private Answer write(String role, String collection, ObjectNode term) {
        return site.as(role).post("/cms/v2/" + collection, term);
    }

    private List<String> slugs(String query) {
        return site.get("/cms/v2/" + query).json().findValuesAsString("slug");
    }
}

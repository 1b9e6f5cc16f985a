package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a caller may not read is found by no list, total, term, embed or thumbnail. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenItemsTest {
    private static final Account EDITOR = Accounts.standard().get("editor");

    private final SiteClient site;
    private final List<String> made = new ArrayList<>();
    private final long admin;
    private final long delta;
    private long secret;
    private long picture;

    HiddenItemsTest(SeededServer server) {
        site = server.site();
        admin = server.content().id("users.admin");
        delta = server.content().id("posts.delta");
    }

    @BeforeAll
    void hide() {
        ObjectNode post = JsonNodeFactory.instance
                .objectNode()
                .put("title", "Zebra merger")
                .put("slug", "zebra-merger")
                .put("content", "With Quagga Incorporated.")
                .put("status", "private");
        long tag = make("tags", JsonNodeFactory.instance.objectNode().put("name", "Takeover"));
        post.putArray("tags").add(tag);
        secret = make("posts", post);
        Answer upload = site.call("POST", "/cms/v2/media", Query.of("post", String.valueOf(secret)))
                .as(EDITOR)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"zebra-stripes.png\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(300, 200), "png"))
                .send();
        assertThat(upload.status()).as(upload.text()).isEqualTo(201);
        picture = upload.json().path("id").longValue();
        made.add("media/" + picture);
        ObjectNode words = JsonNodeFactory.instance
                .objectNode()
                .put("caption", "Signing on Tuesday")
                .put("slug", "signing-hall");
        assertThat(site.call("POST", "/cms/v2/media/" + picture)
                        .as(EDITOR)
                        .json(words)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    void clear() {
        for (int i = made.size() - 1; i >= 0; i--) {
            site.call("DELETE", "/cms/v2/" + made.get(i), Query.of("force", "true"))
                    .as(EDITOR)
                    .send();
        }
    }

    private long make(String collection, ObjectNode fields) {
        Answer answer = site.call("POST", "/cms/v2/" + collection)
                .as(EDITOR)
                .json(fields)
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        long id = answer.json().path("id").longValue();
        made.add(collection + "/" + id);
        return id;
    }

    private static String total(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        String total = answer.header("X-WP-Total").orElse("none");
        return total + "/" + answer.header("X-WP-TotalPages").orElse("none");
    }

    @ParameterizedTest
    @CsvSource({
        "private, search=Delta",
        "private, search=Del",
        "any, search=private",
        "any, search=\"is private\"",
        "private, search=Delta&search_semantics=exact&search_columns[]=post_title",
        "private, search=zzz -Delta",
        "private, slug=delta",
        "private, include=DELTA",
        "any, include=DELTA",
        "any, include=DELTA&orderby=include",
        "private, exclude=1",
        "private, author=ADMIN",
        "private, author_exclude=99999",
        "private, after=2024-04-10T09:00:00&before=2024-04-10T11:00:00",
        "private, modified_after=2000-01-01T00:00:00",
        "private, categories=1",
        "private, categories_exclude=99999",
        "private, sticky=false",
        "private, format=standard",
        "future, search=Golf",
        "trash, search=Juliet",
        "trash, slug=juliet__trashed",
        "any, slug=zebra-merger",
    })
    void noFilterFindsWhatOthersHide(String status, String filter) {
        String[] parts =
                filter.replace("ADMIN", "" + admin).replace("DELTA", "" + delta).split("[&=]", -1);
        Query query = Query.of(parts).add("status", status);

        for (String name : List.of("author", "contributor")) {
            Answer answer = site.call("GET", "/cms/v2/posts", query)
                    .as(Accounts.standard().get(name))
                    .send();
            assertThat(total(answer)).as(name).isEqualTo("0/0");
        }
    }

    @Test
    void ownItemsAreFoundAmongHiddenOnes() {
        Answer found = site.call("GET", "/cms/v2/posts", Query.of("status", "any", "search", "Echo draft"))
                .as(Accounts.standard().get("author"))
                .send();
        assertThat(total(found)).isEqualTo("1/1");
        assertThat(total(site.call("GET", "/cms/v2/posts", Query.of("status", "private", "search", "Quagga"))
                        .as(EDITOR)
                        .send()))
                .isEqualTo("1/1");
    }

    /** The number alone is told, as clients of this interface know it: no order says where the hidden ones would be. */
    @ParameterizedTest
    @ValueSource(strings = {"title", "slug", "date", "modified", "id", "author"})
    void hiddenItemsTakeNoPlaceInAnyOrder(String order) {
        Account author = Accounts.standard().get("author");
        List<Integer> sizes = new ArrayList<>();
        String pages = "";
        for (int page = 1; page <= 5; page++) {
            Answer answer = site.call(
                            "GET",
                            "/cms/v2/posts",
                            Query.of(
                                    "status[]",
                                    "draft",
                                    "status[]",
                                    "future",
                                    "status[]",
                                    "private",
                                    "status[]",
                                    "pending",
                                    "orderby",
                                    order,
                                    "per_page",
                                    "1",
                                    "page",
                                    "" + page))
                    .as(author)
                    .send();
            pages = total(answer);
            sizes.add(answer.json().size());
        }
        assertThat(sizes).containsExactly(1, 1, 0, 0, 0);
        assertThat(pages).isEqualTo("5/5");
    }

    @ParameterizedTest
    @CsvSource({
        "caption, search=Signing",
        "file name, search=stripes",
        "slug, slug=signing-hall",
        "parent, parent=SECRET",
        "id, include=PICTURE",
        "kind, media_type=image&search=zebra",
    })
    void filesOfHiddenItemsAreFoundByNobodyElse(String by, String filter) {
        String[] parts = filter.replace("SECRET", "" + secret)
                .replace("PICTURE", "" + picture)
                .split("[&=]", -1);

        assertThat(total(site.call("GET", "/cms/v2/media", Query.of(parts)).send()))
                .as(by)
                .isEqualTo("0/0");
        assertThat(total(site.call("GET", "/cms/v2/media", Query.of(parts))
                        .as(Accounts.standard().get("author"))
                        .send()))
                .as(by)
                .isEqualTo("0/0");
        assertThat(total(site.call("GET", "/cms/v2/media", Query.of(parts))
                        .as(EDITOR)
                        .send()))
                .as(by)
                .isEqualTo("1/1");
    }

    @Test
    void filesOfHiddenItemsAreNotCountedEither() {
        Answer all =
                site.call("GET", "/cms/v2/media", Query.of("per_page", "100")).send();

        assertThat(total(all)).isEqualTo(all.json().size() + "/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "search=Takeover", "orderby=id", "hide_empty=false", "slug=takeover"})
    void termsOfHiddenItemsAreToldToNobodyElse(String further) {
        Query query = Query.of("post", "" + secret);
        if (!further.isEmpty()) {
            String[] parts = further.split("=", -1);
            query.add(parts[0], parts[1]);
        }

        assertThat(total(site.call("GET", "/cms/v2/tags", query).send())).isEqualTo("0/0");
        assertThat(total(site.call("GET", "/cms/v2/tags", query)
                        .as(Accounts.standard().get("author"))
                        .send()))
                .isEqualTo("0/0");
        assertThat(total(site.call("GET", "/cms/v2/tags", query).as(EDITOR).send()))
                .isEqualTo("1/1");
    }

    @Test
    void termsCountNoHiddenItem() {
        Query named = Query.of("slug", "takeover");

        JsonNode seen = site.call("GET", "/cms/v2/tags", named).send().json();
        assertThat(seen.path(0).path("count").intValue()).isZero();
        assertThat(total(site.call("GET", "/cms/v2/tags", named.add("hide_empty", "true"))
                        .send()))
                .isEqualTo("0/0");
    }

    @Test
    void hiddenPictureStandsForNothingElsewhere() {
        long shown = make(
                "posts",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("title", "Shown")
                        .put("status", "publish")
                        .put("featured_media", picture));

        String described = site.call("GET", "/oembed/1.0/embed", Query.of("url", site.base() + "/?p=" + shown))
                .send()
                .text();
        assertThat(described).contains("\"title\":\"Shown\"").doesNotContain("zebra", "thumbnail");
        assertThat(site.callAddress("GET", site.base() + "/?p=" + shown + "&embed=true")
                        .send()
                        .text())
                .contains("Shown")
                .doesNotContain("zebra");
        assertThat(site.call("GET", "/cms/v2/posts/" + shown, Query.of("_embed", "1"))
                        .send()
                        .text())
                .doesNotContain("zebra", "Signing");
    }

    /** Whether something hidden is a picture is told as little as whether it is there. */
    @Test
    void whatIsHiddenStandsForNoItemAndGivesNoTextItsSizes() {
        Account writer = Accounts.standard().get("contributor");
        String tag = "<img class=\"wp-image-" + picture + "\" src=\"https://example.org/2026/11/zebra-stripes.png\">";
        for (long wish : new long[] {secret, picture, 999_999}) {
            JsonNode draft = site.call("POST", "/cms/v2/posts")
                    .as(writer)
                    .json(JsonNodeFactory.instance
                            .objectNode()
                            .put("title", "Own")
                            .put("content", tag)
                            .put("featured_media", wish))
                    .send()
                    .json();
            made.add("posts/" + draft.path("id").longValue());

            assertThat(draft.path("featured_media").longValue()).isZero();
            assertThat(draft.path("content").path("rendered").asString())
                    .contains("wp-image-")
                    .doesNotContain("width=", "srcset=");
        }
    }

    @Test
    void guardedItemIsFoundByItsEditorsAlone() {
        make(
                "posts",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("title", "Guarded okapi")
                        .put("content", "marked")
                        .put("password", "never")
                        .put("status", "publish"));
        Query search = Query.of("search", "okapi");

        assertThat(total(site.call("GET", "/cms/v2/posts", search)
                        .as(Accounts.standard().get("author"))
                        .send()))
                .isEqualTo("0/0");
        assertThat(total(site.call("GET", "/cms/v2/posts", search).as(EDITOR).send()))
                .isEqualTo("1/1");
    }
}

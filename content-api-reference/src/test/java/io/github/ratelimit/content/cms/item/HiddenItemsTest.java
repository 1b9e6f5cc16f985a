package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a caller may not read is found by no list, total, term, embed or thumbnail. */
@OnDatabase(Database.H2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenItemsTest {
    private final SiteClient site;
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
        long tag = make("tags", "{'name':'Takeover'}");
        secret = make(
                "posts",
                "{'title':'Zebra merger','slug':'zebra-merger','content':'With Quagga Incorporated.','status':'private',"
                        + "'tags':[" + tag + "]}");
        Answer upload = site.as("editor")
                .call("POST", "/cms/v2/media?post=" + secret)
                .file("zebra-stripes.png", "image/png", PictureFiles.encoded(PictureFiles.quarters(300, 200), "png"))
                .send();
        assertThat(upload.status()).as(upload.text()).isEqualTo(201);
        picture = upload.id();
        String words = "{\"caption\":\"Signing on Tuesday\",\"slug\":\"signing-hall\"}";
        assertThat(site.as("editor").post("/cms/v2/media/" + picture, words).status())
                .isEqualTo(200);
    }

    private long make(String collection, String fields) {
        Answer answer = site.as("editor").post("/cms/v2/" + collection, fields.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.id();
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
        String query = filter.replace("ADMIN", "" + admin).replace("DELTA", "" + delta) + "&status=" + status;

        for (String name : List.of("author", "contributor")) {
            Answer answer = site.as(name).get("/cms/v2/posts?" + query);
            assertThat(total(answer)).as(name).isEqualTo("0/0");
        }
    }

    @Test
    void ownItemsAreFoundAmongHiddenOnes() {
        Answer found = site.as("author").get("/cms/v2/posts?status=any&search=Echo draft");
        assertThat(total(found)).isEqualTo("1/1");
        assertThat(total(site.as("editor").get("/cms/v2/posts?status=private&search=Quagga")))
                .isEqualTo("1/1");
    }

    /** The number alone is told, as clients of this interface know it: no order says where the hidden ones would be. */
    @ParameterizedTest
    @ValueSource(strings = {"title", "slug", "date", "modified", "id", "author"})
    void hiddenItemsTakeNoPlaceInAnyOrder(String order) {
        List<Integer> sizes = new ArrayList<>();
        String pages = "";
        for (int page = 1; page <= 5; page++) {
            Answer answer = site.as("author")
                    .get("/cms/v2/posts?status[]=draft&status[]=future&status[]=private&status[]=pending&orderby="
                            + order + "&per_page=1&page=" + page);
            pages = total(answer);
            sizes.add(answer.json().size());
        }
        assertThat(sizes).containsExactly(1, 1, 0, 0, 0);
        assertThat(pages).isEqualTo("5/5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "search=Signing",
                "search=stripes",
                "slug=signing-hall",
                "parent=SECRET",
                "include=PICTURE",
                "media_type=image&search=zebra",
            })
    void filesOfHiddenItemsAreFoundByNobodyElse(String filter) {
        assertIsForEditorsAlone(
                "/cms/v2/media?" + filter.replace("SECRET", "" + secret).replace("PICTURE", "" + picture));
    }

    @Test
    void filesOfHiddenItemsAreNotCountedEither() {
        Answer all = site.get("/cms/v2/media?per_page=100");

        assertThat(total(all)).isEqualTo(all.json().size() + "/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&search=Takeover", "&orderby=id", "&hide_empty=false", "&slug=takeover"})
    void termsOfHiddenItemsAreToldToNobodyElse(String further) {
        assertIsForEditorsAlone("/cms/v2/tags?post=" + secret + further);
    }

    @Test
    void termsCountNoHiddenItem() {
        String named = "/cms/v2/tags?slug=takeover";

        assertThat(site.get(named).number("/0/count")).isZero();
        assertThat(total(site.get(named + "&hide_empty=true"))).isEqualTo("0/0");
    }

    @Test
    void hiddenPictureStandsForNothingElsewhere() {
        long shown = make("posts", "{'title':'Shown','status':'publish','featured_media':" + picture + "}");

        String described = site.get("/oembed/1.0/embed?url=" + site.base() + "/?p=" + shown)
                .text();
        assertThat(described).contains("\"title\":\"Shown\"").doesNotContain("zebra", "thumbnail");
        assertThat(site.open("/?p=" + shown + "&embed=true").text())
                .contains("Shown")
                .doesNotContain("zebra");
        assertThat(site.get("/cms/v2/posts/" + shown + "?_embed=1").text()).doesNotContain("zebra", "Signing");
    }

    /** Whether something hidden is a picture is told as little as whether it is there. */
    @Test
    void whatIsHiddenStandsForNoItemAndGivesNoTextItsSizes() {
        ObjectNode own = JsonNodeFactory.instance.objectNode().put("title", "Own");
        own.put(
                "content",
                "<img class='wp-image-" + picture + "' src='https://example.org/2026/11/zebra-stripes.png'>");
        for (long wish : new long[] {secret, picture, 999_999}) {
            JsonNode draft = site.as("contributor")
                    .post("/cms/v2/posts", own.put("featured_media", wish))
                    .json();

            assertThat(draft.path("featured_media").longValue()).isZero();
            assertThat(draft.at("/content/rendered").asString())
                    .contains("wp-image-")
                    .doesNotContain("width=", "srcset=");
        }
    }

    @Test
    void footnotesOfAGuardedItemAreGuardedToo() {
        String notes = "[{\\'content\\':\\'a secret\\',\\'id\\':\\'1\\'}]";
        long id = make(
                "posts",
                "{'title':'Guarded','content':'x','password':'never','status':'publish','meta':{'footnotes':'" + notes
                        + "'}}");
        assertThat(site.get("/cms/v2/posts/" + id).text()).doesNotContain("a secret");
        assertThat(site.get("/cms/v2/posts").text()).doesNotContain("a secret");
        assertThat(site.as("admin")
                        .open(site.base() + "/index.php?rest_route=/cms/v2/posts/" + id + "&context=edit")
                        .text())
                .contains("a secret");
        assertThat(site.open(site.base() + "/index.php?rest_route=/cms/v2/posts/" + id + "&password=never")
                        .text())
                .contains("a secret");
    }

    @Test
    void guardedItemIsFoundByItsEditorsAlone() {
        make("posts", "{'title':'Guarded okapi','content':'marked','password':'never','status':'publish'}");

        assertIsForEditorsAlone("/cms/v2/posts?search=okapi");
    }

    private void assertIsForEditorsAlone(String list) {
        assertThat(total(site.get(list))).as("to strangers").isEqualTo("0/0");
        assertThat(total(site.as("author").get(list))).as("to authors").isEqualTo("0/0");
        assertThat(total(site.as("editor").get(list))).as("to editors").isEqualTo("1/1");
    }
}

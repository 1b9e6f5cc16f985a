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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Blocks that are filled when a content is read. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class FilledBlocksTest {
    private static final Account ADMIN = Accounts.standard().get("admin");
    private static final Account EDITOR = Accounts.standard().get("editor");
    private static final Account AUTHOR = Accounts.standard().get("author");
    private static final String NEWEST = "2024-11-30T10:00:00";

    private final SiteClient site;
    private final List<String> made = new ArrayList<>();

    FilledBlocksTest(SeededServer server) {
        site = server.site();
    }

    @AfterEach
    void clear() {
        made.forEach(route ->
                site.call("DELETE", route, Query.of("force", "true")).as(ADMIN).send());
    }

    private static ObjectNode post(String title, String status, String content) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("title", title)
                .put("status", status)
                .put("date", NEWEST)
                .put("content", content);
    }

    private String make(String collection, ObjectNode fields) {
        return made(site.call("POST", "/cms/v2/" + collection)
                .as(AUTHOR)
                .json(fields)
                .send());
    }

    private String made(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        String collection = answer.json().path("type").asString().equals("attachment") ? "media" : "posts";
        made.add("/cms/v2/" + collection + "/" + answer.json().path("id").longValue());
        return made.get(made.size() - 1);
    }

    private String rendered(Answer answer) {
        return answer.json().path("content").path("rendered").asString();
    }

    private String anonymously(String route) {
        return rendered(site.call("GET", route).send());
    }

    private static String id(String route) {
        return route.substring(route.lastIndexOf('/') + 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "post-title | {\"level\":3,\"isLink\":true} | <h3 class=\"wp-block-post-title\"><a href=\"B/?p=ID\" target=\"_self\" >Own &#8220;q&#8221;</a></h3>",
                "post-title | {\"className\":\"a\\u0022 onclick=x\"} | <h2 class=\"a&quot; onclick=x wp-block-post-title\">Own &#8220;q&#8221;</h2>",
                "post-date | {\"format\":\"l jS F Y\",\"textAlign\":\"left\"} | <div class=\"has-text-align-left wp-block-post-date\"><time datetime=\"2024-11-30T10:00:00+00:00\">Saturday 30th November 2024</time></div>",
                "post-excerpt | {\"excerptLength\":2,\"moreText\":\"On\"} | <div class=\"wp-block-post-excerpt\"><p class=\"wp-block-post-excerpt__excerpt\">One two&hellip;</p><p class=\"wp-block-post-excerpt__more-text\"><a class=\"wp-block-post-excerpt__more-link\" href=\"B/?p=ID\">On</a></p></div>",
                "post-terms | {\"term\":\"category\"} | <div class=\"taxonomy-category wp-block-post-terms\"><a href=\"B/?cat=1\" rel=\"tag\">Uncategorized</a></div>",
                "read-more | {} | <a class=\"wp-block-read-more\" href=\"B/?p=ID\" target=\"_self\">Read more<span class=\"screen-reader-text\">: Own &#8220;q&#8221;</span></a>",
                "latest-comments | {\"displayDate\":false} | <div class=\"has-avatars has-excerpts no-comments wp-block-latest-comments\">No comments to show.</div>",
                "search | {\"label\":\"Look \\u003cb\\u003efor\\u003c/b\\u003e\",\"width\":50} | <form role=\"search\" method=\"get\" action=\"B/\" class=\"wp-block-search__button-outside wp-block-search__text-button wp-block-search\"    ><label class=\"wp-block-search__label\" for=\"wp-block-search__input-1\" >Look <b>for</b></label><div class=\"wp-block-search__inside-wrapper\"  style=\"width: 50%\"><input class=\"wp-block-search__input\" id=\"wp-block-search__input-1\" placeholder=\"\" value=\"\" type=\"search\" name=\"s\" required /><button aria-label=\"Search\" class=\"wp-block-search__button wp-element-button\" type=\"submit\" >Search</button></div></form>",
                "post-featured-image | {} | ``",
                "unknown | {} | ``",
            })
    void whatABlockShows(String block, String attributes, String expected) {
        String route = make(
                "posts",
                post("Own \"q\"", "publish", "<!-- wp:" + block + " " + attributes + " /-->")
                        .put("excerpt", "One two three"));

        assertThat(anonymously(route))
                .isEqualTo(expected.replace("B/", site.base() + "/").replace("ID", id(route)));
    }

    @Test
    void listsOfTermsPagesAndMonths() {
        String route = make(
                "posts",
                post(
                        "Lists",
                        "publish",
                        "<!-- wp:archives /--><!-- wp:categories {\"showHierarchy\":true} /--><!-- wp:tag-cloud /-->"
                                + "<!-- wp:page-list /-->"));

        assertThat(anonymously(route))
                .contains("\t<li><a href='" + site.base() + "/?m=202411'>November 2024</a></li>\n")
                .containsPattern(
                        "<a href=\"[^\"]*/\\?cat=\\d+\">Events</a>\n<ul class='children'>\n\t<li[^>]*><a[^>]*>Local<")
                .containsPattern(
                        "class=\"tag-cloud-link tag-link-\\d+ tag-link-position-1\" style=\"font-size: [0-9.]+pt;\"")
                .containsPattern(
                        "has-child\"><a[^>]*>About us</a><ul class=\"wp-block-navigation__submenu-container\">");
    }

    @Test
    void whatIsListedIsWhatAnybodyMayRead() {
        String hidden = make("posts", post("Hidden", "draft", "x"));
        String secret = made(site.call("POST", "/cms/v2/posts")
                .as(EDITOR)
                .json(post("Secret", "private", "x"))
                .send());
        String listing = make("posts", post("Listing", "publish", "<!-- wp:latest-posts {\"postsToShow\":-1} /-->"));

        String toAnybody = anonymously(listing);
        assertThat(toAnybody)
                .contains("/?p=" + id(listing) + "\">Listing</a>")
                .doesNotContain("Hidden", "Secret", "/?p=" + id(hidden) + "\"", "/?p=" + id(secret) + "\"");
        for (Account reader : List.of(AUTHOR, EDITOR, ADMIN)) {
            assertThat(rendered(site.call("GET", listing, Query.of("context", "edit"))
                            .as(reader)
                            .send()))
                    .as(reader.toString())
                    .isEqualTo(toAnybody);
        }
    }

    @Test
    void aListIsThatOfTheMomentWhenItIsRead() {
        String other = make("posts", post("Before", "publish", "x"));
        String listing = make("posts", post("Listing", "publish", "<!-- wp:latest-posts {\"postsToShow\":2} /-->"));
        assertThat(anonymously(listing)).contains(">Before</a>");

        site.call("POST", other).as(AUTHOR).json("{\"title\":\"After\"}").send();

        assertThat(anonymously(listing)).contains(">After</a>").doesNotContain("Before");
    }

    @Test
    void aGuardedPostShowsNeitherItsTextNorThatItHasOne() {
        make("posts", post("Guarded", "publish", "Private words").put("password", "p"));
        String listing = make(
                "posts",
                post(
                        "Listing",
                        "publish",
                        "<!-- wp:latest-posts {\"postsToShow\":9,\"displayPostContent\":true} /-->"));

        assertThat(anonymously(listing))
                .contains(">Protected: Guarded</a>", "This content is password protected.")
                .doesNotContain("Private words");
    }

    @Test
    void excerptsOfListsHoldNoLists() {
        String listing = make(
                "posts",
                post(
                        "Listing",
                        "publish",
                        "<!-- wp:latest-posts {\"postsToShow\":1,\"displayPostContent\":true} /-->"));
        JsonNode shown = site.call("GET", listing).send().json();

        assertThat(shown.path("content").path("rendered").asString())
                .contains("<div class=\"wp-block-latest-posts__post-excerpt\"></div>");
        assertThat(shown.path("excerpt").path("rendered").asString()).isEmpty();
    }

    @Test
    void thePictureOfWhatIsHiddenIsNotShown() {
        String secret = made(site.call("POST", "/cms/v2/posts")
                .as(EDITOR)
                .json(post("Secret", "private", "x"))
                .send());
        String picture = made(site.call("POST", "/cms/v2/media", Query.of("post", id(secret)))
                .as(EDITOR)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"secret.png\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(20, 20), "png"))
                .send());
        String showing = made(site.call("POST", "/cms/v2/posts")
                .as(EDITOR)
                .json(post("Showing", "publish", "<!-- wp:post-featured-image /-->")
                        .put("featured_media", Long.parseLong(id(picture))))
                .send());
        assertThat(anonymously(showing)).isEmpty();

        site.call("POST", picture).as(EDITOR).json("{\"post\":0}").send();

        assertThat(anonymously(showing)).contains("<figure class=\"wp-block-post-featured-image\"><img ");
    }

    @Test
    void earlierWordingsAndThePublicPageAreFilled() {
        String route = make("posts", post("Old", "publish", "<!-- wp:site-title /-->"));
        site.call("POST", route).as(AUTHOR).json("{\"title\":\"New\"}").send();

        JsonNode wordings =
                site.call("GET", route + "/revisions").as(AUTHOR).send().json();
        assertThat(wordings.get(0).path("content").path("rendered").asString())
                .startsWith("<h1 class=\"wp-block-site-title\">");
        assertThat(site.callAddress("GET", site.base() + "/?p=" + id(route))
                        .send()
                        .text())
                .contains("<h1 class=\"wp-block-site-title\">");
    }
}

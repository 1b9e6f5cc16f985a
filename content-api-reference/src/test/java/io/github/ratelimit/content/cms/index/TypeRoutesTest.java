package io.github.ratelimit.content.cms.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** What clients of this kind of interface expect of types and taxonomies; the interface's document does not show them. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class TypeRoutesTest {
    private final SiteClient site;

    TypeRoutesTest(SeededServer server) {
        site = server.site();
    }

    @Test
    void taxonomiesOfOneTypeAreListedAlone() {
        assertThat(read("admin", "/cms/v2/taxonomies", "type", "post").json().propertyNames())
                .containsExactlyInAnyOrder("category", "post_tag");
        for (String type : new String[] {"page", "wibble"}) {
            Answer none = site.call("GET", "/cms/v2/taxonomies", Query.of("type", type))
                    .send();
            assertThat(none.status()).isEqualTo(200);
            assertThat(none.text()).isEqualTo("{}");
        }
        Answer unseen = read("admin", "/cms/v2/taxonomies", "type", "wibble", "context", "edit");
        assertThat(unseen.status()).isEqualTo(403);
        assertThat(unseen.json().path("code").asString("")).isEqualTo("rest_cannot_view");
    }

    @Test
    void whoeverWritesPostsSeesHowTheyAreSorted() {
        assertThat(read("contributor", "/cms/v2/taxonomies", "context", "edit")
                        .json()
                        .propertyNames())
                .containsExactlyInAnyOrder("category", "post_tag");
        assertThat(read("subscriber", "/cms/v2/taxonomies/category", "context", "edit")
                        .status())
                .isEqualTo(403);
        JsonNode category = read("contributor", "/cms/v2/taxonomies/category", "context", "edit")
                .json();
        JsonNode tag = read("contributor", "/cms/v2/taxonomies/post_tag", "context", "edit")
                .json();

        assertThat(category.path("capabilities").path("manage_terms").asString(""))
                .isEqualTo("manage_categories");
        assertThat(category.path("capabilities").path("assign_terms").asString(""))
                .isEqualTo("assign_categories");
        assertThat(tag.path("capabilities").path("edit_terms").asString("")).isEqualTo("edit_post_tags");
        assertThat(tag.path("labels").path("singular_name").asString("")).isEqualTo("Tag");
        assertThat(tag.path("show_cloud").asBoolean(false)).isTrue();
        assertThat(tag.path("visibility").path("show_ui").asBoolean(false)).isTrue();
        assertThat(read("admin", "/cms/v2/taxonomies/category").json().propertyNames())
                .doesNotContain("capabilities", "labels", "show_cloud", "visibility");
    }

    @Test
    void editorsOfATypeLearnWhatItsItemsCanHave() {
        JsonNode post =
                read("contributor", "/cms/v2/types/post", "context", "edit").json();
        JsonNode page =
                read("editor", "/cms/v2/types", "context", "edit").json().path("page");
        JsonNode file =
                read("author", "/cms/v2/types/attachment", "context", "edit").json();

        assertThat(post.path("capabilities").path("edit_others_posts").asString(""))
                .isEqualTo("edit_others_posts");
        assertThat(page.path("capabilities").path("create_posts").asString("")).isEqualTo("edit_pages");
        assertThat(page.path("capabilities").path("edit_post").asString("")).isEqualTo("edit_page");
        assertThat(file.path("capabilities").path("create_posts").asString("")).isEqualTo("upload_files");
        assertThat(post.path("labels").path("singular_name").asString("")).isEqualTo("Post");
        assertThat(file.path("labels").path("name").asString("")).isEqualTo("Media");
        assertThat(post.path("supports").path("post-formats").asBoolean(false)).isTrue();
        assertThat(page.path("supports").path("page-attributes").asBoolean(false))
                .isTrue();
        assertThat(file.path("supports").propertyNames()).containsExactlyInAnyOrder("title", "author", "comments");
        assertThat(post.path("viewable").asBoolean(false)).isTrue();
        assertThat(post.path("visibility").path("show_ui").asBoolean(false)).isTrue();
        assertThat(read("admin", "/cms/v2/types/post").json().propertyNames())
                .doesNotContain("capabilities", "labels", "supports", "viewable", "visibility");
    }

    private Answer read(String account, String route, String... query) {
        return site.call("GET", route, Query.of(query))
                .as(Accounts.standard().get(account))
                .send();
    }
}

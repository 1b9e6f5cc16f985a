package io.github.ratelimit.content.cms.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What clients of this kind of interface expect of types and taxonomies; the interface's document does not show them. */
@OnDatabase(Database.H2)
class TypeRoutesTest {
    private final SiteClient site;

    TypeRoutesTest(SeededServer server) {
        site = server.site();
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
}

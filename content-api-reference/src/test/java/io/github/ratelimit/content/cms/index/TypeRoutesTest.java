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
    void typesAndTaxonomiesAreDescribedForLinks() {
        JsonNode types = read("subscriber", "/cms/v2/types").json();
        JsonNode category = read("subscriber", "/cms/v2/taxonomies/category").json();

        assertThat(types.propertyNames()).containsExactly("post", "page", "attachment");
        assertThat(types.path("page").path("hierarchical").asBoolean(false)).isTrue();
        assertThat(types.path("post").path("rest_base").asString("")).isEqualTo("posts");
        assertThat(types.path("post").path("taxonomies").values())
                .extracting(JsonNode::stringValue)
                .containsExactly("category", "post_tag");
        assertThat(category.path("types").path(0).asString("")).isEqualTo("post");
        assertThat(read("contributor", "/cms/v2/types/post", "context", "edit").status())
                .isEqualTo(200);
        assertThat(read("subscriber", "/cms/v2/types", "context", "edit").status())
                .isEqualTo(403);
        assertThat(read("subscriber", "/cms/v2/taxonomies/wibble").status()).isEqualTo(404);
    }

    private Answer read(String account, String route, String... query) {
        return site.call("GET", route, Query.of(query))
                .as(Accounts.standard().get(account))
                .send();
    }
}

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nothing names an item or a term that was deleted. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
class DeletionTest {
    private static final Account EDITOR = Accounts.standard().get("editor");

    private final SiteClient site;

    DeletionTest(SeededServer server) {
        site = server.site();
    }

    @Test
    void pagesAndFilesOfAPageMoveUp() {
        long above = make("pages", "{\"title\": \"Above\"}");
        long page = make("pages", "{\"title\": \"Page\", \"parent\": " + above + "}");
        long below = make("pages", "{\"title\": \"Below\", \"parent\": " + page + "}");
        long picture = upload(page);

        delete("pages", page);

        assertThat(shown("pages", below, "parent")).isEqualTo(above);
        assertThat(shown("media", picture, "post")).isEqualTo(above);
        delete("pages", below);
        delete("pages", above);
        delete("media", picture);
    }

    @Test
    void postsThatShowAPictureShowNone() {
        long picture = upload(0);
        long post = make("posts", "{\"title\": \"Showing\", \"featured_media\": " + picture + "}");
        assertThat(shown("posts", post, "featured_media")).isEqualTo(picture);

        delete("media", picture);

        assertThat(shown("posts", post, "featured_media")).isZero();
        delete("posts", post);
    }

    @Test
    void postsOfACategoryGetTheDefaultOneAndItsCategoriesMoveUp() {
        long category = make("categories", "{\"name\": \"Soon gone\"}");
        long below = make("categories", "{\"name\": \"Below\", \"parent\": " + category + "}");
        long post = make("posts", "{\"title\": \"Sorted\", \"categories\": [" + category + "]}");
        long both = make("posts", "{\"title\": \"Both\", \"categories\": [" + category + "," + below + "]}");

        delete("categories", category);

        assertThat(shown("categories", below, "parent")).isZero();
        assertThat(read("posts", post).json().path("categories").toString()).isEqualTo("[1]");
        assertThat(read("posts", both).json().path("categories").toString()).isEqualTo("[" + below + "]");
        delete("posts", post);
        delete("posts", both);
        delete("categories", below);
    }

    private long upload(long owner) {
        return id(site.call("POST", "/cms/v2/media", Query.of("post", String.valueOf(owner)))
                .as(EDITOR)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"deleted.png\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(30, 20), "png"))
                .send());
    }

    private long make(String collection, String fields) {
        return id(site.call("POST", "/cms/v2/" + collection)
                .as(EDITOR)
                .json(fields)
                .send());
    }

    private static long id(Answer made) {
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.json().path("id").longValue();
    }

    private long shown(String collection, long id, String member) {
        return read(collection, id).json().path(member).longValue();
    }

    private Answer read(String collection, long id) {
        return site.call("GET", "/cms/v2/" + collection + "/" + id).as(EDITOR).send();
    }

    private void delete(String collection, long id) {
        Answer deleted = site.call("DELETE", "/cms/v2/" + collection + "/" + id, Query.of("force", "true"))
                .as(EDITOR)
                .send();
        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
    }
}

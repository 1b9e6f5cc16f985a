package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import org.junit.jupiter.api.Test;

/** Nothing names an item or a term that was deleted. */
@OnDatabase(Database.H2)
class DeletionTest {
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
    }

    @Test
    void postsThatShowAPictureShowNone() {
        long picture = upload(0);
        long post = make("posts", "{\"title\": \"Showing\", \"featured_media\": " + picture + "}");
        assertThat(shown("posts", post, "featured_media")).isEqualTo(picture);

        delete("media", picture);

        assertThat(shown("posts", post, "featured_media")).isZero();
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
    }

    private long upload(long owner) {
        return id(site.as("editor")
                .call("POST", "/cms/v2/media?post=" + owner)
                .file("deleted.png", "image/png", PictureFiles.encoded(PictureFiles.quarters(30, 20), "png"))
                .send());
    }

    private long make(String collection, String fields) {
        return id(site.as("editor").post("/cms/v2/" + collection, fields));
    }

    private static long id(Answer made) {
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.id();
    }

    private long shown(String collection, long id, String member) {
        return read(collection, id).json().path(member).longValue();
    }

    private Answer read(String collection, long id) {
        return site.as("editor").get("/cms/v2/" + collection + "/" + id);
    }

    private void delete(String collection, long id) {
        Answer deleted = site.as("editor").delete("/cms/v2/" + collection + "/" + id + "?force=true");
        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
    }
}

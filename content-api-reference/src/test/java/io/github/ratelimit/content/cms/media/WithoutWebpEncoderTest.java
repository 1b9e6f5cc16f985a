package io.github.ratelimit.content.cms.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.ServerProcess;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Where the native code that writes WebP does not run, everything else does. */
final class WithoutWebpEncoderTest {

    private final Account author = Accounts.standard().get("author");

    @Test
    void webpIsKeptWithoutSmallerPicturesAndCannotBeEdited(@TempDir Path dir) throws IOException {
        Path log = dir.resolve("server.log");
        try (ServerProcess server = ServerProcess.startProgram(
                TimeSource.system(),
                dir.resolve("data"),
                WithoutWebpEncoder.class,
                "256m",
                "--logging.file.name=" + log)) {
            SiteClient client = new SiteClient(server.base());
            byte[] leaf = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));

            JsonNode webp = upload(client, "leaf.webp", leaf);
            Answer edited = edit(client, webp);
            Answer completed = client.call(
                            "POST", "/cms/v2/media/" + webp.path("id").asString() + "/post-process")
                    .as(author)
                    .json("{\"action\": \"create-image-subsizes\"}")
                    .send();
            JsonNode png = upload(client, "quarters.png", PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"));

            JsonNode details = webp.path("media_details");
            assertThat(details.path("width").intValue()).isEqualTo(400);
            assertThat(details.path("sizes")).isEmpty();
            assertThat(client.callAddress("GET", webp.path("source_url").asString())
                            .send()
                            .bytes())
                    .isEqualTo(leaf);
            assertThat(edited.status()).as(edited.text()).isEqualTo(400);
            assertThat(edited.json().path("code").asString()).isEqualTo("rest_image_crop_failed");
            assertThat(completed.status()).as(completed.text()).isEqualTo(200);
            assertThat(png.path("media_details").path("sizes").propertyNames()).contains("medium", "thumbnail");
            assertThat(edit(client, png).status()).isEqualTo(201);
            assertThat(Files.readAllLines(log))
                    .filteredOn(line -> line.contains("-Dcom.luciad.imageio.webp.tmpdir="))
                    .hasSize(1);
        }
    }

    private JsonNode upload(SiteClient client, String name, byte[] content) {
        Answer answer = client.call("POST", "/cms/v2/media")
                .as(author)
                .header("Content-Type", "application/octet-stream")
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .body(content)
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    private Answer edit(SiteClient client, JsonNode item) {
        return client.call("POST", "/cms/v2/media/" + item.path("id").asString() + "/edit")
                .as(author)
                .json("{\"src\": \"" + item.path("source_url").asString() + "\", \"rotation\": 90}")
                .send();
    }
}

package io.github.ratelimit.content.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import tools.jackson.databind.JsonNode;

/** Uploads one picture under one name again and again until the server is gone, and returns the ids that it was told. */
final class Uploader implements Callable<List<String>> {

    private static final byte[] PICTURE = PictureFiles.encoded(PictureFiles.quarters(1200, 900), "jpeg");

    private final SiteClient site;

    Uploader(SiteClient site) {
        this.site = site.as("author");
    }

    @Override
    public List<String> call() {
        List<String> acknowledged = new ArrayList<>();
        try {
            while (true) {
                Answer answer = site.call("POST", "/cms/v2/media")
                        .file("same.jpg", "image/jpeg", PICTURE)
                        .send();
                if (answer.status() != 201) {
                    return acknowledged;
                }
                acknowledged.add(Long.toString(answer.id()));
            }
        } catch (UncheckedIOException e) {
            // The server went away under this upload; nobody was told that it succeeded.
            return acknowledged;
        }
    }

    /** Every item's file is there and whole, and so is every smaller picture that the item names; returns the ids of the items. */
    static Set<String> checkItems(SiteClient site) throws IOException {
        Set<String> ids = new HashSet<>();
        int pages = 1;
        for (int page = 1; page <= pages; page++) {
            Answer answer = site.get("/cms/v2/media?per_page=100&orderby=id&page=" + page);
            pages = answer.header("X-WP-TotalPages").map(Integer::parseInt).orElse(0);
            for (JsonNode item : answer.json()) {
                ids.add(item.path("id").asString());
                assertThat(bytes(site, item)).isEqualTo(PICTURE);
                for (JsonNode size : item.at("/media_details/sizes").values()) {
                    assertThat(ImageIO.read(new ByteArrayInputStream(bytes(site, size)))
                                    .getWidth())
                            .isEqualTo(size.path("width").intValue());
                }
            }
        }
        return ids;
    }

    /** Also a file that no item names is whole, and what was half received is served to nobody. */
    static void checkFiles(SiteClient site, Path uploads) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(uploads)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String path = uploads.relativize(file).toString().replace('\\', '/');
            Answer answer = site.open("/uploads/" + path);
            if (path.startsWith(".incoming")) {
                assertThat(answer.status()).isEqualTo(404);
            } else {
                assertThat(ImageIO.read(new ByteArrayInputStream(answer.bytes())))
                        .as(path)
                        .isNotNull();
            }
        }
    }

    private static byte[] bytes(SiteClient site, JsonNode picture) {
        String address = picture.path("source_url").asString();
        Answer answer = site.open(address);
        assertThat(answer.status()).as(address).isEqualTo(200);
        return answer.bytes();
    }
}

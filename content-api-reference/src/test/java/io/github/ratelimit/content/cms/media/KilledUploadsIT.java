package io.github.ratelimit.content.cms.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.ServerProcess;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged server is killed while pictures are uploaded: no item without its file, no file served half written. {@code -Pfull} only. */
@EnabledIfSystemProperty(named = "full", matches = "true")
final class KilledUploadsIT {
    private static final int KILLS = 20;
    private static final int UPLOADERS = 4;

    private final TimeSource time = TimeSource.system();
    private final byte[] picture = PictureFiles.encoded(PictureFiles.quarters(1200, 900), "jpeg");

    @Test
    void noItemIsWithoutItsFileAndNoFileIsHalfWritten(@TempDir Path dataDirectory) throws Exception {
        Random moments = new Random(20_261_121L);
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        ServerProcess server = ServerProcess.startJar(time, dataDirectory, ServerProcess.SHORT_LIVED);
        try {
            for (int kill = 1; kill <= KILLS; kill++) {
                uploadUntilKilled(server, acknowledged, Duration.ofMillis(800 + moments.nextInt(1_500)));
                server = ServerProcess.startJar(time, dataDirectory, ServerProcess.SHORT_LIVED);
                SiteClient client = new SiteClient(server.base());
                Set<String> listed = check(client);
                System.out.printf(
                        "kill %d: %d uploads acknowledged, %d items%n", kill, acknowledged.size(), listed.size());
                assertThat(listed).containsAll(acknowledged);
                checkFiles(client, dataDirectory.resolve("uploads"));
            }
        } finally {
            server.close();
        }
        assertThat(acknowledged)
                .as("acknowledged uploads; with few of them this test would show little")
                .hasSizeGreaterThan(KILLS);
    }

    private void uploadUntilKilled(ServerProcess server, Set<String> acknowledged, Duration moment) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(UPLOADERS);
        AtomicBoolean isKilled = new AtomicBoolean();
        try {
            SiteClient client = new SiteClient(server.base());
            for (int i = 0; i < UPLOADERS; i++) {
                threads.execute(() -> upload(client, acknowledged, isKilled));
            }
            server.runFor(moment);
            server.kill();
        } finally {
            isKilled.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void upload(SiteClient client, Set<String> acknowledged, AtomicBoolean isKilled) {
        while (!isKilled.get()) {
            try {
                Answer answer = client.as("author")
                        .call("POST", "/cms/v2/media")
                        .file("same.jpg", "image/jpeg", picture)
                        .send();
                if (answer.status() == 201) {
                    acknowledged.add(answer.text("/id"));
                }
            } catch (UncheckedIOException e) {
                // The server went away under this upload; nobody was told that it succeeded.
                return;
            }
        }
    }

    /** Every item's file is there and whole, and so is every smaller picture that the item names. */
    private Set<String> check(SiteClient client) throws IOException {
        Set<String> ids = new HashSet<>();
        int pages = 1;
        for (int page = 1; page <= pages; page++) {
            Answer answer = client.get("/cms/v2/media?per_page=100&page=" + page + "&orderby=id");
            pages = answer.header("X-WP-TotalPages").map(Integer::parseInt).orElse(0);
            for (JsonNode item : answer.json()) {
                ids.add(item.path("id").asString());
                assertThat(bytes(client, item.path("source_url").asString())).isEqualTo(picture);
                for (JsonNode size : item.at("/media_details/sizes").values()) {
                    assertThat(ImageIO.read(new ByteArrayInputStream(bytes(
                                            client, size.path("source_url").asString())))
                                    .getWidth())
                            .isEqualTo(size.path("width").intValue());
                }
            }
        }
        return ids;
    }

    /** Also a file that no item names is whole. */
    private void checkFiles(SiteClient client, Path uploads) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(uploads)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String path = uploads.relativize(file).toString().replace('\\', '/');
            Answer answer = client.open("/uploads/" + path);
            if (path.startsWith(".incoming")) {
                assertThat(answer.status()).isEqualTo(404);
            } else {
                assertThat(ImageIO.read(new ByteArrayInputStream(answer.bytes())))
                        .as(path)
                        .isNotNull();
            }
        }
    }

    private static byte[] bytes(SiteClient client, String address) {
        Answer answer = client.open(address);
        assertThat(answer.status()).as(address).isEqualTo(200);
        return answer.bytes();
    }
}

package io.github.ratelimit.content.cms.media;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.drew.imaging.ImageMetadataReader;
import com.drew.metadata.exif.GpsDirectory;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What uploads do over HTTP, beyond what is recorded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MediaHttpTest {

    @AutoClose
    private final ReferenceServer server =
            ReferenceServer.start(Database.H2, "--ratelimit.limiters.uploads.permits=20000000");

    private final SiteClient client = new SiteClient(server.base());

    @Test
    void servesFilesInRangesAndOnlyWhenTheyChanged() {
        byte[] text = "0123456789".getBytes(UTF_8);
        String address = upload("ranges.txt", text).text("/source_url");

        Answer whole = client.open(address);
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.bytes()).isEqualTo(text);
        assertThat(whole.mediaType()).isEqualTo("text/plain");
        assertThat(whole.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(whole.header("Content-Security-Policy").orElse("")).contains("default-src 'none'; sandbox");
        assertThat(whole.header("Content-Disposition").orElse("")).startsWith("attachment");
        assertThat(whole.header("Accept-Ranges")).contains("bytes");

        Answer part = client.with("Range", "bytes=2-4").open(address);
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).contains("bytes 2-4/10");
        Answer beyond = client.with("Range", "bytes=20-30").open(address);
        assertThat(beyond.status()).isEqualTo(416);
        assertThat(beyond.bytes()).isEmpty();
        assertThat(beyond.header("Content-Range")).contains("bytes */10");

        String tag = whole.header("ETag").orElseThrow();
        Answer same = client.with("If-None-Match", tag).open(address);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.bytes()).isEmpty();
    }

    @Test
    void servesFilesWhoseNamesAreOfAnotherScript() {
        byte[] text = "слова".getBytes(UTF_8);
        Answer item = client.as("author")
                .call("POST", "/cms/v2/media")
                .multipart(Map.of(), new SiteClient.FilePart("file", "Мой файл – 50%25.txt", "text/plain", text))
                .send();
        assertThat(item.text("/source_url")).endsWith("/Мой-файл-–-5025.txt");
        assertThat(item.text("/title/raw")).isEqualTo("Мой файл – 50%25");

        Answer file = client.open(URI.create(item.text("/source_url")).toASCIIString());
        assertThat(file.bytes()).isEqualTo(text);
        assertThat(file.header("Content-Disposition").orElse("")).contains("filename*=UTF-8''%D0%9C%D0%BE%D0%B9-");
    }

    @Test
    void anAccountUploadsOnlySoManyBytesInADay() {
        byte[] text = "x".repeat(9_000_000).getBytes(UTF_8);

        assertThat(statusOfUpload("editor", text)).isEqualTo(201);
        assertThat(statusOfUpload("editor", text)).isEqualTo(201);
        Answer rejected = send("editor", "quota.txt", text);
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.header("Retry-After").orElse("")).matches("[1-9][0-9]*");
        assertThat(statusOfUpload("author", "small".getBytes(UTF_8)))
                .as("another account")
                .isEqualTo(201);
    }

    @Test
    void servesNothingElse() throws IOException {
        Files.writeString(server.dataDirectory().resolve("uploads/.incoming/half.part"), "half");
        for (String path : List.of(
                "/uploads/",
                "/uploads/2024",
                "/uploads/.incoming/half.part",
                "/uploads/2024/01/%2e%2e%2f%2e%2e%2fcontent.mv.db",
                "/uploads/2024/../.incoming/half.part",
                "/uploads/2024/01/..%5c..%5cx",
                "/uploads/2024/01/missing.jpg",
                "/uploads/2024/01/a.jpg%00.txt")) {
            assertThat(client.open(server.base() + path).status()).as(path).isIn(400, 404);
        }
    }

    @Test
    void showsLargePicturesScaledAndKeepsTheOriginal() throws IOException {
        Answer item = upload("large.jpg", PictureFiles.encoded(PictureFiles.quarters(3000, 1500), "jpeg"));

        JsonNode details = item.json().path("media_details");
        assertThat(details.path("width").intValue()).isEqualTo(2560);
        assertThat(details.path("height").intValue()).isEqualTo(1280);
        assertThat(details.path("original_image").asString()).isEqualTo("large.jpg");
        assertThat(details.at("/sizes/2048x2048/file").asString()).isEqualTo("large-2048x1024.jpg");
        assertThat(details.at("/sizes/full/file").asString()).isEqualTo("large-scaled.jpg");
        assertThat(item.text("/source_url")).endsWith("/large-scaled.jpg");
        assertThat(item.text("/guid/raw")).endsWith("/large.jpg");
        assertThat(item.json().path("missing_image_sizes")).isEmpty();
        for (JsonNode size : details.path("sizes").values()) {
            BufferedImage picture = picture(size.path("source_url").asString());
            assertThat(picture.getWidth()).isEqualTo(size.path("width").intValue());
            assertThat(picture.getHeight()).isEqualTo(size.path("height").intValue());
        }
    }

    @Test
    void turnsPicturesUprightAndHandsOnNoPlace() throws Exception {
        Answer item = upload("turned.jpg", PictureFiles.jpegWithExif(800, 400, 6));

        JsonNode details = item.json().path("media_details");
        assertThat(details.path("width").intValue()).isEqualTo(400);
        assertThat(details.path("height").intValue()).isEqualTo(800);
        assertThat(details.at("/image_meta/orientation").asString()).isEqualTo("1");
        assertThat(details.at("/image_meta/camera").asString()).isEqualTo("Cam");
        Set<String> addresses = new HashSet<>(List.of(item.text("/source_url"), item.text("/guid/raw")));
        details.path("sizes")
                .values()
                .forEach(size -> addresses.add(size.path("source_url").asString()));
        assertThat(addresses).hasSize(3);
        for (String address : addresses) {
            byte[] bytes = client.open(address).bytes();
            assertThat(ImageMetadataReader.readMetadata(new ByteArrayInputStream(bytes))
                            .getFirstDirectoryOfType(GpsDirectory.class))
                    .as(address)
                    .isNull();
        }
    }

    @Test
    void anEditOfWebpIsWebpAndHasSmallerPictures() throws IOException {
        byte[] webp = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));
        Answer item = upload("turning.webp", webp);

        // What appears in the corners is seen through.
        Answer edited = client.as("author")
                .post(
                        "/cms/v2/media/" + item.id() + "/edit",
                        "{\"src\": \"" + item.text("/source_url") + "\", \"rotation\": 45}");

        assertThat(edited.text("/mime_type")).isEqualTo("image/webp");
        BufferedImage turned = picture(edited.text("/source_url"));
        assertThat(turned.getRGB(0, 0) >>> 24).isZero();
        assertThat(turned.getRGB(turned.getWidth() / 2, turned.getHeight() / 2) >>> 24)
                .isEqualTo(255);
        assertThat(picture(edited.text("/media_details/sizes/medium/source_url"))
                                .getRGB(0, 0)
                        >>> 24)
                .isZero();
    }

    @Test
    void anEditTakesNoScriptsFromThePictureForCallersWithoutRawHtml() throws IOException {
        Answer item = upload("scripted.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.id();
        client.as("editor")
                .post(route, "{\"title\": \"<script>1</script><b>T</b>\", \"caption\": \"<script>2</script>C\"}");

        Answer edited = client.as("author")
                .post(route + "/edit", "{\"src\": \"" + item.text("/source_url") + "\", \"rotation\": 90}");

        assertThat(edited.text("/title/rendered")).isEqualTo("1<b>T</b>");
        assertThat(edited.text("/caption/rendered")).isEqualTo("<p>2C</p>\n");
    }

    @Test
    void picturesThatAreCutOffBehindTheirSizeAreKeptAsTheyCame() throws IOException {
        byte[] webp = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));
        for (Map.Entry<String, byte[]> whole : Map.of(
                        "cut.png", PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"),
                        "cut.gif", PictureFiles.encoded(PictureFiles.quarters(400, 300), "gif"),
                        "cut.webp", webp)
                .entrySet()) {
            byte[] cut = Arrays.copyOf(whole.getValue(), 45);

            Answer item = upload(whole.getKey(), cut);

            assertThat(item.number("/media_details/width")).as(whole.getKey()).isPositive();
            assertThat(item.json().at("/media_details/sizes")).isEmpty();
            assertThat(client.open(item.text("/source_url")).bytes()).isEqualTo(cut);
        }
    }

    /** Without its pixels a picture cannot be written anew, and its metadata must not be handed on. */
    @Test
    void aDamagedPictureThatTellsAPlaceIsRejected() {
        byte[] whole = PictureFiles.encoded(PictureFiles.quarters(40, 30), "png");
        byte[] cut = Arrays.copyOf(whole, 50);
        assertThat(send("damaged.png", cut).status()).isEqualTo(201);

        System.arraycopy("eXIf".getBytes(UTF_8), 0, cut, 40, 4);
        assertThat(send("damaged.png", cut).status()).isEqualTo(500);
    }

    @Test
    void rejectsBombsOverHttp() {
        for (Map.Entry<String, byte[]> bomb : PictureFiles.bombs().entrySet()) {
            Answer answer = send(bomb.getKey(), bomb.getValue());
            assertThat(answer.status()).as(bomb.getKey()).isEqualTo(500);
            assertThat(answer.code()).isEqualTo("rest_upload_sideload_error");
        }
    }

    @Test
    void deletingAnItemRemovesItsFiles() throws IOException {
        Answer item = upload("gone.jpg", PictureFiles.encoded(PictureFiles.quarters(400, 300), "jpeg"));
        String route = "/cms/v2/media/" + item.id();
        assertThat(filesNamed("gone")).isEqualTo(3);

        Answer gone = client.as("author").delete(route + "?force=true");

        assertThat(gone.json().path("deleted").booleanValue()).isTrue();
        assertThat(filesNamed("gone")).isZero();
        assertThat(client.open(item.text("/source_url")).status()).isEqualTo(404);
    }

    @Test
    void theSourceOfAnEditIsNeverFetched() throws IOException {
        Answer item = upload("own.jpg", PictureFiles.encoded(PictureFiles.quarters(40, 30), "jpeg"));
        try (ServerSocket canary = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            canary.setSoTimeout(300);
            String path = item.text("/source_url").substring(server.base().length());
            assertThat(edit(item, "http://127.0.0.1:" + canary.getLocalPort() + path + "?size=full")
                            .status())
                    .isEqualTo(201);
            for (String source : List.of(
                    "http://localhost:" + canary.getLocalPort() + "/x.jpg",
                    "file:///etc/passwd",
                    server.base() + "/uploads/2024/01/other.jpg",
                    server.base() + "/?x=" + path)) {
                Answer answer = edit(item, source);
                assertThat(answer.status()).as(source).isEqualTo(404);
                assertThat(answer.code()).isEqualTo("rest_unknown_attachment");
            }
            assertThat(connects(canary)).isFalse();
        }
    }

    /** Its item is hidden, as recorded; its address is known to those only who saw the item. */
    @Test
    void fileOfAPrivateItemIsServedToWhoeverKnowsItsAddress() {
        Answer item = upload("private.txt", "seen".getBytes(UTF_8));
        String route = "/cms/v2/media/" + item.id();
        assertThat(client.as("editor").post(route, "{\"status\": \"private\"}").status())
                .isEqualTo(200);

        assertThat(client.get(route).status()).isEqualTo(401);
        assertThat(client.open(item.text("/source_url")).text()).isEqualTo("seen");
    }

    private Answer edit(Answer item, String source) {
        return client.as("author")
                .post(
                        "/cms/v2/media/" + item.id() + "/edit",
                        "{\"src\": \"" + source
                                + "\", \"modifiers\": [{\"type\": \"rotate\", \"args\": {\"angle\": 90}}]}");
    }

    private Answer upload(String name, byte[] content) {
        Answer answer = send(name, content);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private int statusOfUpload(String account, byte[] content) {
        return send(account, "quota.txt", content).status();
    }

    private Answer send(String name, byte[] content) {
        return send("author", name, content);
    }

    private Answer send(String account, String name, byte[] content) {
        return client.as(account)
                .call("POST", "/cms/v2/media")
                .file(name, "application/octet-stream", content)
                .send();
    }

    private BufferedImage picture(String address) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(client.open(address).bytes()));
    }

    private long filesNamed(String start) throws IOException {
        try (Stream<Path> files = Files.walk(server.dataDirectory().resolve("uploads"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(start))
                    .count();
        }
    }

    private static boolean connects(ServerSocket canary) throws IOException {
        try {
            canary.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}

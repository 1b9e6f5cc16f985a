package io.github.ratelimit.content.cms.media;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.drew.imaging.ImageMetadataReader;
import com.drew.metadata.exif.GpsDirectory;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.media.storage.UploadsOnADisk;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.WatchedLog;
import jakarta.servlet.ServletContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jsoup.Jsoup;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.FileSystemUtils;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What uploads do over HTTP, beyond what is recorded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MediaHttpTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Account author = Accounts.standard().get("author");
    private final AtomicBoolean isDiskFull = new AtomicBoolean();
    private final AtomicBoolean losesCommits = new AtomicBoolean();
    private final AtomicInteger turns = new AtomicInteger(Integer.MAX_VALUE);

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            starting -> starting.getBeanFactory()
                    .addBeanPostProcessor(new Failing(starting.getEnvironment(), isDiskFull, losesCommits, turns)),
            "--ratelimit.limiters.uploads.rules[0].permits=20000000",
            "--ratelimit.limiters.uploads.rules[0].window=1d",
            "--ratelimit.limiters.uploads.rules[0].key[0]=attribute:account");

    private final SiteClient client = new SiteClient(server.base());

    /** Gives the server a disk that a test fills, and a database whose answer to a commit a test loses, or that lets requests write a few times only. */
    private record Failing(
            Environment environment, AtomicBoolean isDiskFull, AtomicBoolean losesCommits, AtomicInteger turns)
            implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof UploadStore) {
                Path root = Path.of(environment.getRequiredProperty("content-api.data-dir"), "uploads");
                return UploadsOnADisk.with(root, isDiskFull::get);
            }
            return bean instanceof PlatformTransactionManager real ? losing(real) : bean;
        }

        private PlatformTransactionManager losing(PlatformTransactionManager real) {
            return new PlatformTransactionManager() {
                @Override
                public TransactionStatus getTransaction(@Nullable TransactionDefinition wanted) {
                    boolean isOfARequest = !Thread.currentThread().getName().startsWith("scheduling-");
                    if (isOfARequest
                            && !TransactionSynchronizationManager.isActualTransactionActive()
                            && turns.getAndDecrement() <= 0) {
                        throw new QueryTimeoutException("no turn", new SQLTransientException("no turn"));
                    }
                    return real.getTransaction(wanted);
                }

                @Override
                public void commit(TransactionStatus status) {
                    real.commit(status);
                    if (losesCommits.get() && status.isNewTransaction()) {
                        throw new TransactionSystemException("lost", new SQLException("no answer", "08006"));
                    }
                }

                @Override
                public void rollback(TransactionStatus status) {
                    real.rollback(status);
                }
            };
        }
    }

    @Test
    void servesFilesInRangesAndOnlyWhenTheyChanged() {
        byte[] text = "0123456789".getBytes(UTF_8);
        String address = upload("ranges.txt", text).path("source_url").asString();

        Answer whole = client.callAddress("GET", address).send();
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.bytes()).isEqualTo(text);
        assertThat(whole.mediaType()).isEqualTo("text/plain");
        assertThat(whole.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(whole.header("Content-Security-Policy").orElse("")).contains("default-src 'none'; sandbox");
        assertThat(whole.header("Content-Disposition").orElse("")).startsWith("attachment");
        assertThat(whole.header("Accept-Ranges")).contains("bytes");

        Answer part =
                client.callAddress("GET", address).header("Range", "bytes=2-4").send();
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).contains("bytes 2-4/10");
        assertThat(client.callAddress("GET", address)
                        .header("Range", "bytes=20-30")
                        .send()
                        .status())
                .isEqualTo(416);

        String tag = whole.header("ETag").orElseThrow();
        Answer same =
                client.callAddress("GET", address).header("If-None-Match", tag).send();
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.bytes()).isEmpty();
    }

    @Test
    void servesFilesWhoseNamesAreOfAnotherScript() {
        byte[] text = "слова".getBytes(UTF_8);
        JsonNode item = client.call("POST", "/cms/v2/media")
                .as(author)
                .multipart(Map.of(), new SiteClient.FilePart("file", "Мой файл – 50%25.txt", "text/plain", text))
                .send()
                .json();
        assertThat(item.path("source_url").asString()).endsWith("/Мой-файл-–-5025.txt");
        assertThat(item.at("/title/raw").asString()).isEqualTo("Мой файл – 50%25");

        Answer file = client.callAddress(
                        "GET", URI.create(item.path("source_url").asString()).toASCIIString())
                .send();
        assertThat(file.bytes()).isEqualTo(text);
        assertThat(file.header("Content-Disposition").orElse("")).contains("filename*=UTF-8''%D0%9C%D0%BE%D0%B9-");
    }

    @Test
    void anAccountUploadsOnlySoManyBytesInADay() {
        Account editor = Accounts.standard().get("editor");
        byte[] text = "x".repeat(9_000_000).getBytes(UTF_8);

        assertThat(statusOfUpload(editor, text)).isEqualTo(201);
        assertThat(statusOfUpload(editor, text)).isEqualTo(201);
        Answer refused = send(editor, "quota.txt", text);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After").orElse("")).matches("[1-9][0-9]*");
        assertThat(statusOfUpload(author, "small".getBytes(UTF_8)))
                .as("another account")
                .isEqualTo(201);
    }

    /** Each in turn would fill the disk as well as a whole one, and could be sent again and again. */
    @Test
    void whatIsCutOffCountsAsLongAsItSaidItWas() {
        String form = "Content-Type: multipart/form-data; boundary=b";
        String file = "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=\"cut.txt\"";
        for (String kind : List.of(form, file, form)) {
            cutOff(kind);
        }

        assertThat(cutOff(file)).contains(" 429 ").contains("rest_upload_quota");
        assertThat(cutOff(form)).contains(" 429 ").contains("rest_upload_quota");
    }

    /** Announces six million bytes, sends a few, and returns what is answered. */
    private String cutOff(String fields) {
        String head = "POST /index.php?rest_route=/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: "
                + Accounts.standard().get("admin").basic() + "\r\n" + fields
                + "\r\nContent-Length: 6000000\r\n\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"cut.txt\"\r\n\r\nhalf";
        try (var connection = new RawConnection(server.base())) {
            return connection.write(head).endOutput().awaitEnd();
        }
    }

    /** One that is refused for another reason, or of which no part is the file, took the disk as well. */
    @Test
    void whatDoesNotSayHowLongItIsCountsAsItComes() throws IOException, InterruptedException {
        Account uploader = uploader("in-pieces");
        byte[] text = "x".repeat(7_000_000).getBytes(UTF_8);

        assertThat(inPieces(uploader, "text/plain", text).statusCode())
                .as("the digest is another one's")
                .isEqualTo(412);
        assertThat(inPieces(
                                uploader,
                                "multipart/form-data; boundary=b",
                                ("--b\r\nContent-Disposition: form-data; name=\"other\"; filename=\"a.txt\"\r\n\r\n"
                                                + "x".repeat(7_000_000) + "\r\n--b--\r\n")
                                        .getBytes(UTF_8))
                        .statusCode())
                .as("no part is the file")
                .isEqualTo(500);
        assertThat(inPieces(uploader, "text/plain", text).statusCode()).isEqualTo(429);
    }

    /** What came of it was stored, though none of its files is known then. */
    @Test
    void whatIsCutOffAndDidNotSayHowLongItIsCountsAsFarAsItCame() throws IOException, InterruptedException {
        Account uploader = uploader("in-cut-forms");
        String head =
                "POST /index.php?rest_route=/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: " + uploader.basic()
                        + "\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n";
        String part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"cut.txt\"\r\n\r\n"
                + "x".repeat(7_000_000);
        String body = Integer.toHexString(part.length()) + "\r\n" + part + "\r\n";
        for (int i = 0; i < 2; i++) {
            try (var connection = new RawConnection(server.base())) {
                connection.write(head + body).endOutput().awaitEnd();
            }
        }

        assertThat(inPieces(uploader, "text/plain", "x".repeat(7_000_000).getBytes(UTF_8))
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void whatIsRefusedForItsFieldsCountsAsWell() throws IOException, InterruptedException {
        Account uploader = uploader("in-forms");
        String file = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                + "x".repeat(7_000_000) + "\r\n--b\r\nContent-Disposition: form-data; name=\"";

        assertThat(inPieces(uploader, "multipart/form-data; boundary=b", form(file, "author", "nobody"))
                        .statusCode())
                .as("no number")
                .isEqualTo(400);
        assertThat(inPieces(uploader, "multipart/form-data; boundary=b", form(file, "title", "x".repeat(200_000)))
                        .statusCode())
                .as("too long")
                .isEqualTo(400);
        assertThat(inPieces(uploader, "text/plain", "x".repeat(7_000_000).getBytes(UTF_8))
                        .statusCode())
                .isEqualTo(429);
    }

    private static byte[] form(String file, String field, String value) {
        return (file + field + "\"\r\n\r\n" + value + "\r\n--b--\r\n").getBytes(UTF_8);
    }

    private HttpResponse<String> inPieces(Account account, String type, byte[] body)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.base() + "/index.php?rest_route=/cms/v2/media"))
                                .header("Authorization", account.basic())
                                .header("Content-Type", type)
                                .header("Content-Disposition", "attachment; filename=\"pieces.txt\"")
                                .header("Content-MD5", "0")
                                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /** Makes an account that has uploaded nothing today. */
    private Account uploader(String login) {
        Account admin = Accounts.standard().get("admin");
        String id = client.call("POST", "/cms/v2/users")
                .as(admin)
                .json("{\"username\": \"" + login + "\", \"email\": \"" + login
                        + "@example.test\", \"password\": \"a password of a test\", \"roles\": [\"author\"]}")
                .send()
                .json()
                .path("id")
                .asString();
        String password = client.call("POST", "/cms/v2/users/" + id + "/application-passwords")
                .as(admin)
                .json("{\"name\": \"Test\"}")
                .send()
                .json()
                .path("password")
                .stringValue();
        return new Account(login, "author", login, login + "@example.test", login, password);
    }

    /** Tools send it with every item. A file has none, so there is nothing to complain of once it is stored. */
    @Test
    void whatIsSaidAboutFootnotesOfAFileIsOverlooked() {
        Answer made = client.call("POST", "/cms/v2/media", Query.of("meta[footnotes][]", "1"))
                .as(author)
                .header("Content-Type", "text/plain")
                .header("Content-Disposition", "attachment; filename=\"noted.txt\"")
                .body("noted".getBytes(UTF_8))
                .send();
        assertThat(made.status()).as(made.text()).isEqualTo(201);

        Answer changed =
                changed("/cms/v2/media/" + made.json().path("id").asString(), "{\"meta\": {\"footnotes\": 5}}");

        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(client.callAddress("GET", made.json().path("source_url").asString())
                        .send()
                        .text())
                .isEqualTo("noted");
    }

    /** A database that commits and is gone before it says so. */
    @Test
    void aFileStaysWhereNobodyKnowsWhetherItsItemWasStored() {
        losesCommits.set(true);
        Answer lost;
        try {
            lost = send("unknown.txt", "still here".getBytes(UTF_8));
        } finally {
            losesCommits.set(false);
        }
        assertThat(lost.status()).as(lost.text()).isEqualTo(503);

        JsonNode item = client.call("GET", "/cms/v2/media", Query.of("search", "unknown"))
                .send()
                .json()
                .path(0);
        assertThat(client.callAddress("GET", item.path("source_url").asString())
                        .send()
                        .text())
                .isEqualTo("still here");
    }

    /** Each repeat, five seconds later, would leave one more. */
    @Test
    void aFileGoesAtOnceWhereItsItemWasSurelyNotStored() throws IOException {
        upload("stored.txt", "stored".getBytes(UTF_8));
        Set<Path> before = files();
        turns.set(0);
        Answer refused;
        try {
            refused = send("refused.txt", "refused".getBytes(UTF_8));
        } finally {
            turns.set(Integer.MAX_VALUE);
        }

        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(files()).isEqualTo(before);
    }

    /** A refusal would be repeated, and each repeat be one more item. */
    @Test
    void whatIsStoredIsTakenWhereItsSmallerPicturesFindNoTurn() throws IOException {
        byte[] picture = PictureFiles.encoded(PictureFiles.quarters(400, 300), "png");
        JsonNode item = upload("in-turn.png", picture);
        for (boolean isEdit : new boolean[] {false, true}) {
            turns.set(1);
            Answer taken;
            try {
                taken = isEdit ? edit(item, item.path("source_url").asString()) : send("out-of-turn.png", picture);
            } finally {
                turns.set(Integer.MAX_VALUE);
            }

            assertThat(taken.status()).as(taken.text()).isEqualTo(201);
            assertThat(taken.json().path("media_details").path("sizes").propertyNames())
                    .doesNotContain("thumbnail", "medium");
            assertThat(client.call(
                                    "POST",
                                    "/cms/v2/media/" + taken.json().path("id").longValue() + "/post-process")
                            .as(author)
                            .json("{\"action\": \"create-image-subsizes\"}")
                            .send()
                            .json()
                            .path("media_details")
                            .path("sizes")
                            .propertyNames())
                    .contains("thumbnail", "medium");
        }
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(server.dataDirectory().resolve("uploads"))) {
            return files.filter(Files::isRegularFile).collect(Collectors.toSet());
        }
    }

    /** As an upload there: the item is whole without smaller pictures. A refusal would be repeated, and each repeat be one more item. */
    @Test
    void anEditOnAFullDiskIsTakenWithoutSmallerPictures() throws IOException {
        JsonNode item = upload("tight.png", PictureFiles.encoded(PictureFiles.quarters(400, 300), "png"));
        String folder = URI.create(item.path("source_url").asString()).getPath().replaceFirst("/[^/]+$", "");
        Path inTheWay = server.dataDirectory().resolve(folder.substring(1)).resolve("tight-edited-150x150.png");
        Files.createDirectories(inTheWay.resolve("something"));
        isDiskFull.set(true);
        Answer edited;
        try {
            edited = edit(item, item.path("source_url").asString());
        } finally {
            isDiskFull.set(false);
            FileSystemUtils.deleteRecursively(inTheWay);
        }

        assertThat(edited.status()).as(edited.text()).isEqualTo(201);
        assertThat(edited.json().path("media_details").path("sizes").propertyNames())
                .doesNotContain("thumbnail", "medium");
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
            assertThat(client.callAddress("GET", server.base() + path).send().status())
                    .as(path)
                    .isIn(400, 404);
        }
    }

    @Test
    void showsLargePicturesScaledAndKeepsTheOriginal() throws IOException {
        JsonNode item = upload("large.jpg", PictureFiles.encoded(PictureFiles.quarters(3000, 1500), "jpeg"));

        JsonNode details = item.path("media_details");
        assertThat(details.path("width").intValue()).isEqualTo(2560);
        assertThat(details.path("height").intValue()).isEqualTo(1280);
        assertThat(details.path("original_image").asString()).isEqualTo("large.jpg");
        assertThat(details.path("sizes").path("2048x2048").path("file").asString())
                .isEqualTo("large-2048x1024.jpg");
        assertThat(details.path("sizes").path("full").path("file").asString()).isEqualTo("large-scaled.jpg");
        assertThat(item.path("source_url").asString()).endsWith("/large-scaled.jpg");
        assertThat(item.path("guid").path("raw").asString()).endsWith("/large.jpg");
        assertThat(item.path("missing_image_sizes")).isEmpty();
        for (JsonNode size : details.path("sizes").values()) {
            BufferedImage picture = picture(size.path("source_url").asString());
            assertThat(picture.getWidth()).isEqualTo(size.path("width").intValue());
            assertThat(picture.getHeight()).isEqualTo(size.path("height").intValue());
        }
    }

    @Test
    void measuresTheSmallerPicturesByTheOriginal() throws IOException {
        JsonNode sizes = upload("measured.jpg", PictureFiles.encoded(PictureFiles.quarters(3000, 2000), "jpeg"))
                .path("media_details")
                .path("sizes");

        // What is shown is 2560 by 1707, of which 1366 would be left.
        assertThat(sizes.path("2048x2048").path("file").asString()).isEqualTo("measured-2048x1365.jpg");
        assertThat(sizes.path("full").path("height").intValue()).isEqualTo(1707);
    }

    @Test
    void showsWhatIsOnePixelTooLongAsItIs() throws IOException {
        JsonNode item = upload("one-more.jpg", PictureFiles.encoded(PictureFiles.quarters(2561, 200), "jpeg"));

        assertThat(item.path("source_url").asString()).endsWith("/one-more.jpg");
        assertThat(item.path("media_details").path("width").intValue()).isEqualTo(2561);
        assertThat(item.path("media_details").has("original_image")).isFalse();
    }

    @Test
    void titlesAPictureByWhatItSaysOfItself() throws IOException {
        JsonNode item = upload("said.jpg", PictureFiles.jpegWithPressNotes(Map.of(120, "Boats in the harbour")));

        assertThat(item.path("title").path("raw").asString()).isEqualTo("Boats in the harbour");
        assertThat(item.path("caption").path("raw").asString()).isEqualTo("Boats in the harbour");
        assertThat(item.path("slug").asString()).isEqualTo("boats-in-the-harbour");
    }

    @Test
    void turnsPicturesUprightAndHandsOnNoPlace() throws Exception {
        JsonNode item = upload("turned.jpg", PictureFiles.jpegWithExif(800, 400, 6));

        JsonNode details = item.path("media_details");
        assertThat(details.path("width").intValue()).isEqualTo(400);
        assertThat(details.path("height").intValue()).isEqualTo(800);
        assertThat(details.path("image_meta").path("orientation").asString()).isEqualTo("1");
        assertThat(details.path("image_meta").path("camera").asString()).isEqualTo("Cam");
        Set<String> addresses = new HashSet<>(List.of(
                item.path("source_url").asString(),
                item.path("guid").path("raw").asString()));
        details.path("sizes")
                .values()
                .forEach(size -> addresses.add(size.path("source_url").asString()));
        assertThat(addresses).hasSize(3);
        for (String address : addresses) {
            byte[] bytes = client.callAddress("GET", address).send().bytes();
            assertThat(ImageMetadataReader.readMetadata(new ByteArrayInputStream(bytes))
                            .getFirstDirectoryOfType(GpsDirectory.class))
                    .as(address)
                    .isNull();
        }
    }

    @Test
    void smallerPicturesOfWebpAreWebp() throws IOException {
        byte[] webp = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));

        JsonNode sizes = upload("leaf.webp", webp).path("media_details").path("sizes");

        assertThat(sizes.path("thumbnail").path("mime_type").asString()).isEqualTo("image/webp");
        BufferedImage picture = picture(sizes.path("medium").path("source_url").asString());
        assertThat(picture.getWidth()).isEqualTo(300);
        assertThat(picture.getHeight()).isEqualTo(225);
    }

    /** What is made of an animation is its first frame; the animation itself stays what is shown. */
    @Test
    void anAnimatedWebpStaysAsItIsAndHasSmallerPictures() throws IOException {
        byte[] still = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));
        byte[] animated = PictureFiles.animatedWebp(still, 400, 300, 3);

        JsonNode item = upload("leaves.webp", animated);

        assertThat(item.path("media_details").path("width").intValue()).isEqualTo(400);
        assertThat(client.callAddress("GET", item.path("source_url").asString())
                        .send()
                        .bytes())
                .isEqualTo(animated);
        JsonNode medium = item.path("media_details").path("sizes").path("medium");
        assertThat(medium.path("mime_type").asString()).isEqualTo("image/webp");
        assertThat(picture(medium.path("source_url").asString()).getHeight()).isEqualTo(225);
    }

    @Test
    void anEditOfWebpIsWebpAndHasSmallerPictures() throws IOException {
        byte[] webp = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/leaf.webp"));
        JsonNode item = upload("turning.webp", webp);

        // What appears in the corners is seen through.
        JsonNode edited = client.call("POST", "/cms/v2/media/" + item.path("id").asString() + "/edit")
                .as(author)
                .json("{\"src\": \"" + item.path("source_url").asString() + "\", \"rotation\": 45}")
                .send()
                .json();

        assertThat(edited.path("mime_type").asString()).isEqualTo("image/webp");
        BufferedImage turned = picture(edited.path("source_url").asString());
        assertThat(turned.getRGB(0, 0) >>> 24).isZero();
        assertThat(turned.getRGB(turned.getWidth() / 2, turned.getHeight() / 2) >>> 24)
                .isEqualTo(255);
        JsonNode medium = edited.path("media_details").path("sizes").path("medium");
        assertThat(picture(medium.path("source_url").asString()).getRGB(0, 0) >>> 24)
                .isZero();
    }

    @Test
    void soundUnderTheExtensionOfAnotherIsMeasuredAsWhatItIs() throws IOException {
        byte[] wave = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/tone.wav"));

        JsonNode item = upload("tone.mp3", wave);

        assertThat(item.path("mime_type").asString()).isEqualTo("audio/mpeg");
        assertThat(item.path("source_url").asString()).endsWith("/tone.mp3");
        assertThat(item.path("media_details").path("dataformat").asString()).isEqualTo("wav");
        assertThat(item.path("media_details").path("mime_type").asString()).isEqualTo("audio/wav");
    }

    @Test
    void listsOfTypesThatNobodyHasAreEmptyAndUnknownTypesAreNoCondition() {
        upload("listed.txt", "listed".getBytes(UTF_8));

        for (String type : List.of("image/tiff", "image/avif", "text/css", "video/mpeg", "application/octet-stream")) {
            assertThat(listed(type)).as(type).isEmpty();
        }
        for (String type : List.of("made/up", "image", "text/html", "IMAGE/TIFF")) {
            assertThat(listed(type)).as(type).isNotEmpty();
        }
        assertThat(listed("image/tiff,text/plain")).isNotEmpty();
        assertThat(client.call("GET", "/cms/v2/media", Query.of("status", ""))
                        .send()
                        .json())
                .isNotEmpty();
    }

    private JsonNode listed(String mediaType) {
        return client.call("GET", "/cms/v2/media", Query.of("mime_type", mediaType))
                .send()
                .json();
    }

    @Test
    void formMayNotClaimAPictureThatNoSmallerOnesCanBeMadeOf() {
        byte[] picture = PictureFiles.encoded(PictureFiles.quarters(40, 30), "png");
        for (String type : List.of("image/bmp", "image/heic", "image/x-unknown")) {
            Answer answer = claimed(type, picture);
            assertThat(answer.status()).as(type).isEqualTo(400);
            assertThat(answer.json().path("code").asString()).isEqualTo("rest_upload_image_type_not_supported");
            assertThat(answer.header("Allow")).as(type).contains("GET");
        }
        for (String type : List.of("image/jpeg", "image/png; name=a", "image/avif", "text/plain")) {
            assertThat(claimed(type, picture).status()).as(type).isEqualTo(201);
        }
    }

    private Answer claimed(String type, byte[] content) {
        return client.call("POST", "/cms/v2/media")
                .as(author)
                .multipart(Map.of(), new SiteClient.FilePart("file", "claimed.png", type, content))
                .send();
    }

    @Test
    void wrongArgumentsOfTheAddressAreToldBeforeLackingRightsThoughPartsAreNotRead() {
        for (String argument : List.of("status", "post", "author")) {
            for (boolean isSigned : List.of(true, false)) {
                SiteClient.Call call = client.call("POST", "/cms/v2/media", Query.of(argument, "words"));
                Answer answer = (isSigned ? call.as(author) : call)
                        .multipart(Map.of(), new SiteClient.FilePart("file", "a.txt", "text/plain", new byte[] {'a'}))
                        .send();

                assertThat(answer.status()).as(argument).isEqualTo(400);
                assertThat(answer.json().at("/data/details/" + argument).isObject())
                        .as(argument)
                        .isTrue();
            }
        }
    }

    @Test
    void whatAPartSaysIsAskedBeforeTheAddressIfItsSenderMayUpload() {
        Answer answer = client.call("POST", "/cms/v2/media", Query.of("status", "words"))
                .as(author)
                .multipart(
                        Map.of("status", "private"),
                        new SiteClient.FilePart("file", "a.txt", "text/plain", new byte[] {'a'}))
                .send();

        assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void picturesAreMirroredByTheOlderArgumentToo() throws IOException {
        JsonNode item = upload("mirrored.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String source = "{\"src\": \"" + item.path("source_url").asString() + "\"";
        String route = "/cms/v2/media/" + item.path("id").asString() + "/edit";

        Answer sideways = client.call("POST", route)
                .as(author)
                .json(source + ", \"flip\": {\"horizontal\": true}}")
                .send();
        Answer turned = client.call("POST", route)
                .as(author)
                .json(source + ", \"rotation\": 90, \"flip\": {\"horizontal\": false, \"vertical\": 1}}")
                .send();
        Answer wrapped = client.call("POST", route, Query.of("_envelope", "1"))
                .as(author)
                .json(source + ", \"rotation\": 90}")
                .send();
        Answer nothing = client.call("POST", route)
                .as(author)
                .json(source + ", \"flip\": {}}")
                .send();

        // Red, green, blue, white at first.
        assertThat(sideways.header("X-WP-Upload-Attachment-ID"))
                .contains(sideways.json().path("id").asString());
        assertThat(wrapped.header("X-WP-Upload-Attachment-ID")).isEmpty();
        assertThat(wrapped.json().path("headers").propertyNames()).doesNotContain("X-WP-Upload-Attachment-ID");
        assertThat(colour(sideways, 1, 1)).isEqualTo("ff00ff00");
        assertThat(colour(sideways, 1, 28)).isEqualTo("ffffffff");
        assertThat(colour(turned, 1, 1)).as("mirrored, then turned").isEqualTo("ffff0000");
        assertThat(colour(turned, 28, 1)).isEqualTo("ff0000ff");
        assertThat(nothing.json().path("code").asString()).isEqualTo("rest_image_not_edited");
    }

    @Test
    void anEditTakesNoScriptsFromThePictureForCallersWithoutRawHtml() throws IOException {
        JsonNode item = upload("scripted.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.path("id").asString();
        client.call("POST", route)
                .as(Accounts.standard().get("editor"))
                .json("{\"title\": \"<script>1</script><b>T</b>\", \"caption\": \"<script>2</script>C\"}")
                .send();

        JsonNode edited = client.call("POST", route + "/edit")
                .as(author)
                .json("{\"src\": \"" + item.path("source_url").asString() + "\", \"rotation\": 90}")
                .send()
                .json();

        assertThat(edited.path("title").path("rendered").asString()).isEqualTo("1<b>T</b>");
        assertThat(edited.path("caption").path("rendered").asString()).isEqualTo("<p>2C</p>\n");
    }

    @Test
    void theEndingOfANameIsReadAsItWasSent() throws IOException {
        byte[] picture = PictureFiles.encoded(PictureFiles.quarters(40, 30), "png");
        for (String name : List.of("'single.png'", "dotted.png.", "\"open.png\"-")) {
            Answer answer = client.call("POST", "/cms/v2/media")
                    .as(author)
                    .header("Content-Disposition", "attachment; filename=" + name)
                    .header("Content-Type", "image/png")
                    .body(picture)
                    .send();
            assertThat(answer.status()).as(name).isEqualTo(500);
            assertThat(answer.json().path("code").asString()).isEqualTo("rest_upload_sideload_error");
        }
    }

    @Test
    void whatHelpsAfterALostBodyIsNoPartOfAnEnvelope() {
        Answer answer = client.call("POST", "/cms/v2/media", Query.of("_envelope", "1"))
                .as(author)
                .header("Content-Disposition", "attachment; filename=enveloped.txt")
                .header("Content-Type", "text/plain")
                .body("words".getBytes(UTF_8))
                .send();

        JsonNode headers = answer.json().path("headers");
        assertThat(headers.has("Location")).isTrue();
        assertThat(headers.has("X-WP-Upload-Attachment-ID")).isFalse();
    }

    @Test
    void anIdThatIsSentWithAnEditWinsOverTheOneInThePath() throws IOException {
        JsonNode item = upload("named.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.path("id").asString() + "/edit";
        String edit = "{\"src\": \"" + item.path("source_url").asString() + "\", \"rotation\": 90, \"id\": ";

        for (String none : List.of("0", "\"x\"", "999999")) {
            Answer answer = client.call("POST", route)
                    .as(author)
                    .json(edit + none + "}")
                    .send();
            assertThat(answer.status()).as(none).isEqualTo(404);
        }
        assertThat(client.call("POST", route)
                        .as(author)
                        .json(edit + "null}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    @Test
    void anEditFollowsWhatItDoesNotDeclare() throws IOException {
        JsonNode item = upload("told.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.path("id").asString() + "/edit";
        String edit = "{\"rotation\": 90, \"src\": \"" + item.path("source_url").asString() + "\", ";

        JsonNode told = changed(
                        route,
                        edit + "\"date\": \"2020-01-02T03:04:05\", \"slug\": \"Told So\", \"status\": \"private\","
                                + " \"comment_status\": \"closed\", \"author\": "
                                + item.path("author").asString() + "}")
                .json();

        assertThat(told.path("date").asString()).isEqualTo("2020-01-02T03:04:05");
        assertThat(told.path("slug").asString()).isEqualTo("told-so");
        assertThat(told.path("status").asString()).isEqualTo("private");
        assertThat(told.path("comment_status").asString()).isEqualTo("closed");
        Answer unread = changed(route, edit + "\"date\": \"x\", \"status\": 5, \"comment_status\": \"maybe\"}");
        assertThat(unread.status()).isEqualTo(201);
        assertThat(unread.json().path("status").asString()).isEqualTo("inherit");
        assertThat(unread.json().path("comment_status").asString()).isEqualTo("open");
        assertThat(changed(route, edit + "\"author\": 999999}").status()).isEqualTo(403);
    }

    @Test
    void aNewFileOfNobodyIsItsUploadersAndKeepsWhatIsSaidAboutTheFile() {
        Answer answer = client.call("POST", "/cms/v2/media")
                .as(Accounts.standard().get("editor"))
                .multipart(
                        Map.of("author", "999999", "title", "Dropped", "status", "private", "alt_text", "Kept"),
                        new SiteClient.FilePart("file", "nobodys.txt", "text/plain", "text".getBytes(UTF_8)))
                .send();

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().path("title").path("raw").asString()).isEqualTo("nobodys");
        assertThat(answer.json().path("status").asString()).isEqualTo("inherit");
        assertThat(answer.json().path("alt_text").asString()).isEqualTo("Kept");
    }

    @Test
    void ofTwoBackslashesInAnAlternativeTextOneIsLeft() {
        JsonNode item = upload("slashes.png", PictureFiles.encoded(PictureFiles.quarters(4, 4), "png"));

        Answer answer = client.call("POST", "/cms/v2/media/" + item.path("id").asString())
                .as(author)
                .json(JSON.objectNode().put("alt_text", "a\\b\\\\c<\\script>d</\\script>\\"))
                .send();

        assertThat(answer.json().path("alt_text").asString()).isEqualTo("ab\\c");
    }

    @Test
    void stepsOfAnEditMayBeLeftOutButAreNotNull() throws IOException {
        JsonNode item = upload("steps.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.path("id").asString() + "/edit";
        String source = "{\"src\": \"" + item.path("source_url").asString() + "\", ";

        for (String step : List.of("modifiers", "rotation", "x", "y", "width", "height")) {
            Answer refused = changed(route, source + "\"" + step + "\": null}");
            assertThat(refused.status()).as(step).isEqualTo(400);
            assertThat(refused.json()
                            .path("data")
                            .path("details")
                            .path(step)
                            .path("code")
                            .asString())
                    .as(step)
                    .isEqualTo("rest_invalid_type");
        }
    }

    @Test
    void whatAnEditMakesBelongsToNoFile() throws IOException {
        JsonNode item = upload("held.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String id = item.path("id").asString();
        String source = "{\"src\": \"" + item.path("source_url").asString() + "\", \"rotation\": 90, \"post\": ";

        Answer refused = changed("/cms/v2/media/" + id + "/edit", source + id + "}");

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("message").asString()).isEqualTo("Invalid parent type.");
    }

    @Test
    void pagesOfADocumentAreMissingAsPictures() {
        JsonNode item = upload("pages.pdf", "%PDF-1.4\n%%EOF\n".getBytes(UTF_8));

        assertThat(item.path("missing_image_sizes").toString()).isEqualTo("[\"thumbnail\",\"medium\",\"large\"]");
    }

    private String colour(Answer edited, int x, int y) throws IOException {
        assertThat(edited.status()).as(edited.text()).isEqualTo(201);
        return Integer.toHexString(
                picture(edited.json().path("source_url").asString()).getRGB(x, y));
    }

    @Test
    void statusThatAFileHasMayBeSentAgain() {
        JsonNode item = upload("again.txt", "again".getBytes(UTF_8));
        String route = "/cms/v2/media/" + item.path("id").asString();

        assertThat(changed(route, "{\"status\": \"inherit\"}").status()).isEqualTo(200);
        assertThat(changed(route, "{\"status\": \"private\"}")
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("private");
        assertThat(changed(route, "{\"status\": \"private\"}").status()).isEqualTo(200);
        Answer refused = changed(route, "{\"status\": \"inherit\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_invalid_param");
    }

    private Answer changed(String route, String fields) {
        return client.call("POST", route).as(author).json(fields).send();
    }

    @Test
    void editIsShownInTheContextThatIsAskedFor() throws IOException {
        JsonNode item = upload("shown.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String route = "/cms/v2/media/" + item.path("id").asString() + "/edit";
        String edit = "{\"rotation\": 90, \"src\": \"" + item.path("source_url").asString() + "\"";

        assertThat(changed(route, edit + "}").json().path("title").has("raw")).isFalse();
        assertThat(changed(route, edit + ", \"context\": \"edit\"}")
                        .json()
                        .path("title")
                        .has("raw"))
                .isTrue();
        assertThat(changed(route, edit + ", \"context\": \"embed\"}").json().has("description"))
                .isFalse();
    }

    @Test
    void formsLastFileIsTakenAndATitleThatSaysNothingIsItsName() {
        byte[] text = "text".getBytes(UTF_8);
        Answer zero = client.call("POST", "/cms/v2/media")
                .as(author)
                .multipart(Map.of("title", "0"), new SiteClient.FilePart("file", "Zero title.txt", "text/plain", text))
                .send();
        String two = """
                --b
                Content-Disposition: form-data; name="file"; filename="first.txt"

                first
                --b
                Content-Disposition: form-data; name="file"; filename="second.txt"

                second
                --b--
                """;
        Answer last = client.call("POST", "/cms/v2/media")
                .as(author)
                .header("Content-Type", "multipart/form-data; boundary=b")
                .body(two.replace("\n", "\r\n").getBytes(UTF_8))
                .send();

        assertThat(zero.json().path("title").path("raw").asString()).isEqualTo("Zero title");
        assertThat(last.json().path("filename").asString()).isEqualTo("second.txt");
    }

    /** What the container has for files of requests may be another disk, which nobody looks at, and which nobody sweeps. */
    @Test
    void partsOfAnUploadLieBesideTheUploads() throws IOException {
        ServletContext servlets =
                Objects.requireNonNull(((WebApplicationContext) server.context()).getServletContext());
        Path elsewhere = ((File) Objects.requireNonNull(servlets.getAttribute(ServletContext.TEMPDIR))).toPath();
        Path kept = elsewhere.resolveSibling(elsewhere.getFileName() + ".kept");
        Files.move(elsewhere, kept);
        try {
            Files.createFile(elsewhere);
            assertThat(form("long.txt", 100_000).status()).isEqualTo(201);
        } finally {
            Files.delete(elsewhere);
            Files.move(kept, elsewhere);
        }

        Path incoming = server.dataDirectory().resolve("uploads/.incoming");
        Path aside = incoming.resolveSibling(".aside");
        Files.move(incoming, aside);
        try {
            Files.createFile(incoming); // a folder that is gone would be made anew
            assertThat(form("longer.txt", 100_000).status()).isEqualTo(500);
        } finally {
            Files.move(aside, incoming, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(form("longest.txt", 100_000).status()).isEqualTo(201);
    }

    private Answer form(String name, int length) {
        byte[] text = "x".repeat(length).getBytes(UTF_8);
        return client.call("POST", "/cms/v2/media")
                .as(author)
                .multipart(Map.of(), new SiteClient.FilePart("file", name, "text/plain", text))
                .send();
    }

    @Test
    void soundIsNotTakenWithAPictureThatIsNone() throws IOException {
        byte[] wave = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/tone.wav"));
        JsonNode text = upload("no-picture.txt", "words".getBytes(UTF_8));
        for (String picture : List.of("999999", text.path("id").asString())) {
            Answer answer = client.call("POST", "/cms/v2/media", Query.of("featured_media", picture))
                    .as(author)
                    .header("Content-Type", "audio/wav")
                    .header("Content-Disposition", "attachment; filename=\"unpictured.wav\"")
                    .body(wave)
                    .send();
            assertThat(answer.status()).as(picture).isEqualTo(400);
            assertThat(answer.json().path("code").asString()).isEqualTo("rest_invalid_featured_media");
        }
        assertThat(filesNamed("unpictured")).isZero();
    }

    @Test
    void soundShowsThePictureThatStandsForIt() throws IOException {
        byte[] wave = Files.readAllBytes(Path.of("src/test/resources/recordings/assets/tone.wav"));
        JsonNode picture = upload("cover.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        JsonNode sound = upload("covered.wav", wave);
        assertThat(sound.path("_links").has("wp:featuredmedia")).isFalse();

        JsonNode covered = changed(
                        "/cms/v2/media/" + sound.path("id").asString(),
                        "{\"featured_media\": " + picture.path("id") + "}")
                .json();

        assertThat(covered.path("class_list").toString()).contains("\"has-post-thumbnail\"");
        assertThat(covered.path("_links").has("curies")).isTrue();
        JsonNode link = covered.path("_links").path("wp:featuredmedia").path(0);
        assertThat(link.path("href").asString())
                .endsWith("/cms/v2/media/" + picture.path("id").asString());
        assertThat(link.path("embeddable").booleanValue()).isTrue();
    }

    @Test
    void whoListsTheItemsOfSomebodyIsToldThatHeOnlyReads() {
        String own = client.call("GET", "/cms/v2/users/me")
                .as(author)
                .send()
                .json()
                .path("id")
                .asString();

        assertThat(allowedBeside(Query.of())).isEqualTo("GET, POST");
        assertThat(allowedBeside(Query.of("author", ""))).isEqualTo("GET, POST");
        assertThat(allowedBeside(Query.of("author", own))).isEqualTo("GET");
        assertThat(allowedBeside(Query.of("author[]", own))).isEqualTo("GET");
        assertThat(allowedBeside(Query.of("post", "x"))).isEqualTo("GET");
        assertThat(allowedBeside(Query.of("post", "0"))).isEqualTo("GET, POST");
    }

    private String allowedBeside(Query query) {
        return client.call("GET", "/cms/v2/media", query)
                .as(author)
                .send()
                .header("Allow")
                .orElse("");
    }

    @Test
    void argumentsInJsonAreNoFile() {
        Answer answer = client.call("POST", "/cms/v2/media")
                .as(author)
                .header("Content-Disposition", "attachment; filename=\"arguments.txt\"")
                .json("{\"title\": \"No file\"}")
                .send();

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().path("code").asString()).isEqualTo("rest_upload_sideload_error");
    }

    @Test
    void refusesBombsOverHttp() {
        for (Map.Entry<String, byte[]> bomb : PictureFiles.bombs().entrySet()) {
            Answer answer = send(bomb.getKey(), bomb.getValue());
            assertThat(answer.status()).as(bomb.getKey()).isEqualTo(500);
            assertThat(answer.json().path("code").asString()).isEqualTo("rest_upload_sideload_error");
        }
    }

    @Test
    void deletingAnItemRemovesItsFiles() throws IOException {
        JsonNode item = upload("gone.jpg", PictureFiles.encoded(PictureFiles.quarters(400, 300), "jpeg"));
        String route = "/cms/v2/media/" + item.path("id").asString();
        assertThat(filesNamed("gone")).isEqualTo(3);

        Answer kept = client.call("DELETE", route).as(author).send();
        assertThat(kept.status()).isEqualTo(501);
        assertThat(kept.json().path("code").asString()).isEqualTo("rest_trash_not_supported");
        Answer gone = client.call("DELETE", route, Query.of("force", "true"))
                .as(author)
                .send();

        assertThat(gone.json().path("deleted").booleanValue()).isTrue();
        assertThat(filesNamed("gone")).isZero();
        assertThat(client.callAddress("GET", item.path("source_url").asString())
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void postProcessMakesWhatIsMissing() throws IOException {
        JsonNode item = upload("again.jpg", PictureFiles.encoded(PictureFiles.quarters(400, 300), "jpeg"));

        Answer answer = client.call("POST", "/cms/v2/media/" + item.path("id").asString() + "/post-process")
                .as(author)
                .json("{\"action\": \"create-image-subsizes\"}")
                .send();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("media_details").path("sizes"))
                .isEqualTo(item.path("media_details").path("sizes"));
        assertThat(answer.json().path("missing_image_sizes")).isEmpty();
    }

    @Test
    void theSourceOfAnEditIsNeverFetched() throws IOException {
        JsonNode item = upload("own.jpg", PictureFiles.encoded(PictureFiles.quarters(40, 30), "jpeg"));
        try (ServerSocket canary = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            canary.setSoTimeout(300);
            String path =
                    item.path("source_url").asString().substring(server.base().length());
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
                assertThat(answer.json().path("code").asString()).isEqualTo("rest_unknown_attachment");
            }
            assertThat(connects(canary)).isFalse();
        }
    }

    @Test
    void hundredFileNamesComeOutHarmless() {
        List<String> scripts = ScriptStrings.all();
        for (int i = 0; i < 100; i++) {
            String name = scripts.get(i * 5).replaceAll("[\"\\\\\\p{Cntrl}\u2028\ufffd]", "")
                    + (i % 2 == 0 ? "" : "/../../x") + ".txt";
            Answer answer = client.call("POST", "/cms/v2/media")
                    .as(author)
                    .multipart(Map.of(), new SiteClient.FilePart("file", name, "text/html", "text".getBytes(UTF_8)))
                    .send();
            assertThat(answer.status()).as(name + ": " + answer.text()).isEqualTo(201);
            JsonNode item = answer.json();
            assertThat(item.path("filename").asString()).matches("[A-Za-z0-9@][A-Za-z0-9@_.-]*\\.txt");
            assertHarmless(name, item);
            if (i % 10 == 0) {
                Answer file = client.callAddress("GET", item.path("source_url").asString())
                        .send();
                assertThat(file.text()).isEqualTo("text");
                assertThat(file.mediaType()).isEqualTo("text/plain");
            }
        }
    }

    private Set<Path> uploaded() throws IOException {
        try (Stream<Path> files = Files.walk(server.dataDirectory().resolve("uploads"))) {
            return files.collect(toSet());
        }
    }

    /** Whoever leaves in the middle of it is nobody's fault, and leaves nothing. */
    @Test
    void anUploadThatIsCutOffIsNotLoggedAsAFault() throws IOException {
        String head = "POST /index.php?rest_route=/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: " + author.basic()
                + "\r\nContent-Disposition: attachment; filename=\"cut.txt\"\r\nContent-Type: text/plain\r\n"
                + "Content-Length: 1000\r\n\r\nhalf";
        Set<Path> before = uploaded();
        try (WatchedLog log = WatchedLog.ofRequests();
                var connection = new RawConnection(server.base())) {
            connection.write(head).endOutput().awaitEnd();

            assertThat(log.faults()).isEmpty();
        }
        assertThat(uploaded()).isEqualTo(before);
    }

    @Test
    void fiveHundredScriptStringsComeOutHarmless() {
        List<String> scripts = ScriptStrings.all();
        assertThat(scripts).hasSizeGreaterThanOrEqualTo(500).doesNotHaveDuplicates();
        JsonNode item = upload("scripts.png", PictureFiles.encoded(PictureFiles.quarters(40, 30), "png"));
        String id = item.path("id").asString();
        for (int i = 0; i + 3 < scripts.size(); i += 4) {
            ObjectNode fields = JSON.objectNode();
            fields.put("title", scripts.get(i)).put("caption", scripts.get(i + 1));
            fields.put("description", scripts.get(i + 2)).put("alt_text", scripts.get(i + 3));
            Answer answer = client.call("POST", "/cms/v2/media/" + id)
                    .as(author)
                    .json(fields)
                    .send();
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertHarmless(fields.toString(), answer.json());
            if (i % 20 == 0) {
                assertEmbedsHarmlessly(id);
            }
        }
    }

    private void assertEmbedsHarmlessly(String id) {
        String page = server.base() + "/?attachment_id=" + id;
        Answer described =
                client.call("GET", "/oembed/1.0/embed", Query.of("url", page)).send();
        assertThat(described.status()).as(described.text()).isEqualTo(200);
        String html = described.json().path("html").asString();
        ScriptStrings.assertHarmless("oembed", html, Set.of("iframe"));
        assertThat(Jsoup.parse(html).select("iframe")).hasSize(1);
        Answer xml = client.call("GET", "/oembed/1.0/embed", Query.of("url", page, "format", "xml"))
                .send();
        String unpacked = Jsoup.parse(xml.text(), Parser.xmlParser())
                .select("oembed > html")
                .text();
        assertThat(unpacked).contains("<iframe");
        ScriptStrings.assertHarmless("oembed in XML", unpacked, Set.of("iframe"));
        Answer shown = client.callAddress("GET", page + "&embed=true").send();
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.header("Content-Security-Policy").orElse("")).startsWith("default-src 'none'");
        ScriptStrings.assertHarmless("embed page", shown.text(), Set.of("link", "meta", "style"));
    }

    private static void assertHarmless(String sent, JsonNode item) {
        for (String member : List.of("title", "caption", "description")) {
            ScriptStrings.assertHarmless(
                    sent, item.path(member).path("rendered").asString(), Set.of());
        }
        ScriptStrings.assertHarmless(sent, item.path("alt_text").asString(), Set.of());
    }

    private Answer edit(JsonNode item, String source) {
        return client.call("POST", "/cms/v2/media/" + item.path("id").asString() + "/edit")
                .as(author)
                .json("{\"src\": \"" + source
                        + "\", \"modifiers\": [{\"type\": \"rotate\", \"args\": {\"angle\": 90}}]}")
                .send();
    }

    private JsonNode upload(String name, byte[] content) {
        Answer answer = send(name, content);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    private int statusOfUpload(Account account, byte[] content) {
        return send(account, "quota.txt", content).status();
    }

    private Answer send(String name, byte[] content) {
        return send(author, name, content);
    }

    private Answer send(Account account, String name, byte[] content) {
        return client.call("POST", "/cms/v2/media")
                .as(account)
                .header("Content-Type", "application/octet-stream")
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .body(content)
                .send();
    }

    private BufferedImage picture(String address) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(
                client.callAddress("GET", address).send().bytes()));
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

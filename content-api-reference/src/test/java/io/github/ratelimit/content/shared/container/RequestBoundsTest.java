package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What one request, and all together, may take of a server with few workers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestBoundsTest {
    private static final int WORKERS = 8;
    private static final int SLOW = 12;
    private static final String POSTS = "/index.php?rest_route=/cms/v2/posts";
    private static final String MULTIPART = "multipart/form-data; boundary=x";
    private static final String HALF_A_FILE =
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n" + "y".repeat(20_000);

    private static final int PARTS = 49; // and the end
    private static final String PART =
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + "y".repeat(16_000) + "\r\n";

    private final Account admin = Accounts.standard().get("admin");
    private final Account subscriber = Accounts.standard().get("subscriber");

    @SuppressWarnings("NullAway.Init")
    private ReferenceServer server;

    @SuppressWarnings("NullAway.Init")
    private SiteClient site;

    @BeforeAll
    void start() {
        server = ReferenceServer.start(
                Database.H2,
                "--server.tomcat.threads.max=" + WORKERS,
                "--server.tomcat.connection-timeout=10m", // longer than any of these clients waits
                "--content-api.requests.max-bytes-in-flight=800KB",
                "--content-api.requests.max-text=1048576",
                "--content-api.requests.max-json-tokens=2000",
                "--content-api.requests.max-answer=3MB",
                "--content-api.requests.max-answers-in-flight=9MB");
        site = new SiteClient(server.base());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** A client that takes no more of an answer than it reads, or nearly. */
    private RawConnection connected() {
        return new RawConnection(server.base(), "0.0.0.0", 4096);
    }

    private String head(String line, String type, int length, String... fields) {
        return line + " HTTP/1.1\r\nHost: " + server.base().substring("http://".length()) + "\r\nContent-Type: " + type
                + "\r\nContent-Length: " + length + "\r\n"
                + String.join(
                        "",
                        List.of(fields).stream().map(field -> field + "\r\n").toList()) + "\r\n";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "GET /index.php?rest_route=/cms/v2/types | application/json | {\"_fields\": \"slug\"}",
                "GET / | application/x-www-form-urlencoded | p=1",
                "POST /index.php?rest_route=/cms/v2/posts | application/json | {\"title\": \"a\"}",
                "PUT /index.php?rest_route=/cms/v2/posts/1 | application/json | {\"title\": \"a\"}",
                "POST /api/v1/widget/init | application/json | {\"page\": 1}",
                "POST /api/v1/widget/nowhere | MULTIPART | --x",
            })
    void aBodyThatNobodyReadsEndsNoConnection(String line, String type, String body) {
        try (RawConnection client = connected()) {
            client.write(head(line, type.equals("MULTIPART") ? MULTIPART : type, body.length()))
                    .write(body)
                    .write(head("GET /actuator/health/readiness", "text/plain", 0, "Connection: close"));

            assertThat(client.awaitEnd()).contains("\"status\":\"UP\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /index.php?rest_route=/cms/v2/posts | application/json | 401",
                "POST /index.php?rest_route=/cms/v2/posts | application/x-www-form-urlencoded | 401",
                "POST /index.php?rest_route=/cms/v2/posts | MULTIPART | 401",
                "POST /index.php?rest_route=/cms/v2/media | MULTIPART | 401",
                "POST /index.php?rest_route=/cms/v2/media | image/png | 401",
                "DELETE /index.php?rest_route=/cms/v2/posts/1 | application/json | 404",
                "POST /index.php?rest_route=/batch/v1 | application/json | 413",
                "POST /index.php?rest_route=/batch/v1 | MULTIPART | 413",
                "POST /index.php?rest_route=/nothing | MULTIPART | 404",
                "GET /index.php?rest_route=/cms/v2/posts | MULTIPART | 200",
                "GET / | MULTIPART | 200",
                "GET /actuator/health/readiness | MULTIPART | 200",
                "POST /?p=1 | MULTIPART | 404",
                "POST /api/v1/widget/init | MULTIPART | 415",
                "POST /authorize-application | application/x-www-form-urlencoded | 413",
            })
    void aStrangerIsAnsweredBeforeTheBodyHasCome(String line, String type, int status) {
        String sent = type.equals("MULTIPART") ? MULTIPART : type;
        try (var client = connected()) {
            client.write(head(line, sent, 5_000_000)).write(HALF_A_FILE);

            assertThat(client.status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /index.php?rest_route=/cms/v2/posts | 200",
                "GET / | 200",
                "GET /actuator/health/readiness | 200",
                "GET /limits/live | 401",
                "GET /nowhere | 404",
                "PUT /nowhere | 404",
                "POST /?p=1 | 404",
                "POST /api/v1/widget/conversation/close | 401",
            })
    void aWholeAnswerIsGivenBeforeAnythingOfTheBodyHasCome(String line, int status) {
        try (var client = connected()) {
            client.write(head(line, "application/json", 2));
            Answer answer = client.receive();
            client.write("{}").write(head("GET /actuator/health/readiness", "text/plain", 0, "Connection: close"));

            assertThat(answer.status()).isEqualTo(status);
            // Whoever waits for the body gives the connection up before it says so much.
            assertThat(client.awaitEnd()).contains("\"status\":\"UP\"");
        }
    }

    /** A client that asks first sends nothing for which nobody has a use. */
    @ParameterizedTest
    @ValueSource(strings = {"PUT /nowhere", "GET /nowhere", "POST /index.php?rest_route=/nothing", "PUT /?p=1"})
    void nobodyIsAskedForABodyThatNobodyReads(String line) {
        try (var client = connected()) {
            client.write(head(line, "application/json", 2, "Expect: 100-continue"));

            assertThat(client.awaitEnd()).startsWith("HTTP/1.1 40");
        }
    }

    /** The server is in order: only the client can speak another version. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1/cms/documents"})
    void anotherVersionOfHttpIsNotCalledAFaultOfTheServer(String path) {
        try (var client = connected()) {
            client.write("GET " + path + " HTTP/2.0\r\nHost: localhost\r\n\r\n");

            assertThat(client.awaitEnd()).startsWith("HTTP/1.1 505").contains("\"http_version_not_supported\"");
        }
    }

    @Test
    void aBodyThatIsReadIsAskedFor() {
        try (var client = connected()) {
            client.write(head(
                    "POST /index.php?rest_route=/batch/v1",
                    "application/json",
                    2,
                    "Expect: 100-continue",
                    "Connection: close"));

            assertThat(client.status()).isEqualTo(100);
            assertThat(client.write("{}").awaitEnd()).contains("HTTP/1.1 400");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz", "-1", "1;x=\r\nab", "5\r\na"})
    void aFormInNoPiecesIsTheClientsMistake(String pieces) {
        try (var client = connected()) {
            client.write("POST /authorize-application HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + pieces
                    + "\r\n0\r\n\r\n");

            assertThat(client.status()).isEqualTo(400);
        }
    }

    @Test
    void anAccountThatMayNotUploadIsAnsweredBeforeTheFileHasCome() {
        try (var client = connected()) {
            client.write(head(
                            "POST /index.php?rest_route=/cms/v2/media",
                            MULTIPART,
                            5_000_000,
                            "Authorization: " + subscriber.basic()))
                    .write(HALF_A_FILE);

            assertThat(client.status()).isEqualTo(403);
        }
    }

    /** As with any short body: what is wrong with it is told before who may send it. */
    @Test
    void wrongFieldsOfAShortFormAreToldBeforeLackingRights() {
        for (String route : List.of("/cms/v2/posts", "/cms/v2/media")) {
            assertThat(form(route, "status", "lost").send().status()).isEqualTo(400);
            assertThat(form(route, "title", "right").send().status()).isEqualTo(401);
            assertThat(form(route, "status", "lost").as(subscriber).send().status())
                    .isEqualTo(400);
            assertThat(form(route, "title", "right").as(subscriber).send().status())
                    .isEqualTo(403);
        }
    }

    private SiteClient.Call form(String route, String field, String value) {
        return site.call("POST", route)
                .multipart(Map.of(field, value), new SiteClient.FilePart("file", "a.png", "image/png", new byte[20]));
    }

    @Test
    void aStrangersBodyIsShorter() {
        String padded = "{\"requests\": []" + " ".repeat(70_000) + "}";

        assertThat(post("/batch/v1", padded).send().status()).isEqualTo(413);
        assertThat(post("/batch/v1", padded).as(admin).send().status()).isEqualTo(207);
    }

    @Test
    void aBodyMayNotHoldMoreThingsThanAreRead() {
        Answer refused = post("/cms/v2/posts", "{\"title\": \"x\", \"a\": [" + "{},".repeat(1_000) + "{}]}")
                .as(admin)
                .send();

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_request_too_large");
    }

    /** Two pictures that are worked on would keep both of two cores from everybody else, and no number of workers would bound what all hold. */
    @Test
    void aRequestHasAWorkerWhateverJavaIsThere() {
        assertThat(server.context()
                        .getEnvironment()
                        .getProperty("spring.threads.virtual.enabled", Boolean.class, false))
                .isFalse();
    }

    @Test
    void bytesOfBodiesAreBoundedTogetherAndGivenBack() {
        String large = "{\"title\": \"" + "x".repeat(900_000) + "\"}";

        // Clients of other tests may just have left.
        assertGivenBack(transfers()::waitingNow);
        Answer refused = post("/cms/v2/posts", large).as(admin).send();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).contains("5");
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_unavailable");
        for (int i = 0; i < 5; i++) {
            assertGivenBack(transfers()::held);
            Answer taken = post("/cms/v2/posts", "{\"title\": \"x\", \"content\": \"" + "x".repeat(300_000) + "\"}")
                    .as(admin)
                    .send();
            assertThat(taken.status()).isEqualTo(201);
        }
        assertGivenBack(transfers()::held);
    }

    /** It takes many times the bytes that it came in, for as long as its request waits. */
    @ParameterizedTest
    @ValueSource(strings = {"/index.php?rest_route=/cms/v2/posts", "/api/v1/widget/init"})
    void whatABodyIsReadIntoCounts(String path) {
        boolean isLong = path.contains("posts");
        String body = isLong
                ? "{\"title\": \"x\", \"a\": \"" + "x".repeat(600_000) + "\", \"b\": [" + "{},".repeat(900) + "{}]}"
                : "{\"page\": {\"a\": [" + "{},".repeat(4_000) + "{}]}}";

        assertGivenBack(transfers()::held);
        Answer refused = site.callAddress("POST", server.base() + path)
                .as(admin)
                .json(body)
                .send();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).contains("5");
        assertGivenBack(transfers()::held);
    }

    /** A short name spells six things. */
    @Test
    void whatAFormIsReadIntoCounts() {
        String form = IntStream.range(0, 900).mapToObj(n -> n + "[][][][][]=").collect(Collectors.joining("&"));

        assertGivenBack(transfers()::held);
        Answer refused = site.call("POST", "/cms/v2/posts")
                .as(admin)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .body(form.getBytes(StandardCharsets.US_ASCII))
                .send();

        assertThat(refused.status()).isEqualTo(503);
        assertGivenBack(transfers()::held);
    }

    /** However many parts a body has: the container keeps short ones in memory, also of a body that is long as a whole. */
    @Test
    void partsThatStayInMemoryCount() {
        int most = PARTS * PART.length();
        assertGivenBack(transfers()::held);
        try (var client = connected()) {
            client.write(head(
                            "POST /index.php?rest_route=/cms/v2/media",
                            MULTIPART,
                            most + 1,
                            "Authorization: " + admin.basic()))
                    .write(PART.repeat(PARTS));
            for (int i = 0; i < 10_000 && transfers().held() < most; i++) {
                LockSupport.parkNanos(1_000_000);
            }

            assertThat(transfers().held()).isEqualTo(most);
        }
        assertGivenBack(transfers()::held);
    }

    /** A page elsewhere can read no refusal without them. */
    @ParameterizedTest
    @ValueSource(strings = {"restHeaders", "widgetCorsFilter"})
    void aFullDiskIsToldWithTheFieldsOfEveryAnswer(String fields) {
        assertThat(server.context().getBean(fields, Ordered.class).getOrder())
                .isLessThan(server.context()
                        .getBean("fullDiskFilter", Ordered.class)
                        .getOrder());
    }

    private Transfers transfers() {
        return server.context().getBean(Transfers.class);
    }

    /** A client may have its answer a moment before the server is done with the request. */
    private static void assertGivenBack(LongSupplier held) {
        for (int i = 0; i < 10_000 && held.getAsLong() > 0; i++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(held.getAsLong()).isZero();
    }

    private SiteClient.Call post(String route, String json) {
        return site.call("POST", route).json(json);
    }

    @Test
    void slowBodiesDoNotTakeAllWorkers() {
        slow(head("POST /index.php?rest_route=/batch/v1", "application/json", 1000) + "{\"requests\"");
    }

    @Test
    void slowBodiesOfTheOtherSurfaceDoNotEither() {
        slow(head("POST /api/v1/widget/init", "application/json", 1000) + "{\"a\"");
    }

    /** The container reads these itself, of anybody where they are short. */
    @ParameterizedTest
    @ValueSource(strings = {"/cms/v2/posts", "/cms/v2/media", "/batch/v1"})
    void slowPartsDoNotEither(String route) {
        slow(head("POST /index.php?rest_route=" + route, MULTIPART, 10_000) + "--x\r\n");
    }

    /** What is said of a piece before it, and of the whole after it, is a part of the body too. */
    @ParameterizedTest
    @ValueSource(strings = {"5;a=b", "2\r\n{}\r\n0\r\na: b"})
    void slowPiecesDoNotEither(String sent) {
        slow("POST /index.php?rest_route=/batch/v1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\nAuthorization: " + subscriber.basic() + "\r\n\r\n" + sent);
    }

    @Test
    void bodiesThatNobodyReadsDoNotEither() {
        slow(head("POST " + POSTS, "application/json", 100_000) + "{\"a\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"content", "title"})
    void aListIsNoLongerThanIsWritten(String member) {
        String text = "x ".repeat(240_000);
        for (int i = 0; i < 6; i++) {
            assertThat(post("/cms/v2/pages", "{\"status\": \"publish\", \"" + member + "\": \"" + text + "\"}")
                            .as(admin)
                            .send()
                            .status())
                    .isEqualTo(201);
        }

        Answer refused = pages(6);

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_answer_too_large");
        assertThat(refused.header("Retry-After")).isEmpty();
        assertThat(pages(2).status()).isEqualTo(200);
        assertGivenBack(transfers()::answeringNow);
    }

    /** A short request whose members are long: what is too much does not run. */
    @Test
    void whatABatchAnswersHasTheBoundOfAList() {
        JsonNode page = post("/cms/v2/pages", "{\"content\": \"" + "x ".repeat(240_000) + "\"}")
                .as(admin)
                .send()
                .json();
        String path = "/cms/v2/pages/" + page.path("id").asString();
        String member = "{\"path\": \"" + path + "\", \"body\": {\"slug\": \"%s\"}}";
        String members = IntStream.range(0, 6)
                .mapToObj(i -> member.formatted("name-" + i))
                .collect(Collectors.joining(","));

        JsonNode answers = post("/batch/v1", "{\"requests\": [" + members + "]}")
                .as(admin)
                .send()
                .json()
                .path("responses");

        assertThat(answers.valueStream().map(answer -> answer.path("status").intValue()))
                .containsExactly(200, 200, 200, 200, 413, 413);
        assertThat(answers.at("/5/body/code").asString()).isEqualTo("rest_answer_too_large");
        assertThat(site.call("GET", path, Query.of("context", "edit"))
                        .as(admin)
                        .send()
                        .json()
                        .path("slug")
                        .asString())
                .isEqualTo("name-3");
        assertGivenBack(transfers()::answeringNow);
    }

    @Test
    void whatIsLinkedByManyCountsAsOftenAsItIsWritten() {
        long parent = page(0, "x ".repeat(250_000));
        for (int i = 0; i < 20; i++) {
            page(parent, "");
        }
        String children = "&parent=" + parent + "&_embed=up";

        assertThat(pages(20 + children).json().path("code").asString()).isEqualTo("rest_answer_too_large");
        assertThat(pages(5 + children).status()).isEqualTo(200);
        assertGivenBack(transfers()::answeringNow);
    }

    /** One such list is served, though it is longer than others may be; the next ones have to wait for it. */
    @Test
    void listsOfFewItemsCountToo() {
        String few = IntStream.range(0, 4)
                .mapToObj(i -> String.valueOf(page(0, "語 ".repeat(180_000))))
                .collect(Collectors.joining(",", "4&include=", ""));
        String request = "GET /index.php?rest_route=/cms/v2/pages&context=edit&per_page=" + few;
        try (RawConnection reader = connected()) {
            // More than the buffers of a connection hold.
            reader.write(request + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + admin.basic() + "\r\n\r\n");
            assertThat(reader.status()).isEqualTo(200);

            assertThat(transfers().answeringNow()).isPositive();
            assertThat(pages(few).json().path("code").asString()).isEqualTo("rest_unavailable");
        }
        assertGivenBack(transfers()::answeringNow);
    }

    /** What stands below it moves up, and is no answer. */
    @Test
    void aPageIsDeletedHoweverLongAllBelowItIs() {
        long parent = page(0, "");
        List<Long> children = IntStream.range(0, 7)
                .mapToObj(i -> page(parent, "x ".repeat(240_000)))
                .toList();

        assertThat(site.call("DELETE", "/cms/v2/pages/" + parent, Query.of("force", "true"))
                        .as(admin)
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(children)
                .allSatisfy(child -> assertThat(site.call("GET", "/cms/v2/pages/" + child)
                                .send()
                                .json()
                                .path("parent")
                                .asInt())
                        .isZero());
    }

    private long page(long parent, String excerpt) {
        return post(
                        "/cms/v2/pages",
                        "{\"status\": \"publish\", \"title\": \"x\", \"parent\": " + parent + ", \"excerpt\": \""
                                + excerpt + "\"}")
                .as(admin)
                .send()
                .json()
                .path("id")
                .longValue();
    }

    private Answer pages(int number) {
        return pages(String.valueOf(number));
    }

    private Answer pages(String number) {
        return site.callAddress("GET", server.base() + "/index.php?rest_route=/cms/v2/pages&per_page=" + number)
                .send();
    }

    @Test
    void slowReadersDoNotTakeAllWorkers() {
        for (int i = 0; i < 8; i++) {
            post(
                            "/cms/v2/posts",
                            "{\"title\": \"x\", \"status\": \"publish\", \"content\": \"" + "x ".repeat(250_000)
                                    + "\"}")
                    .as(admin)
                    .send();
        }
        // Several one behind the other: one alone may fit into the buffers of the connection.
        slow(("GET " + POSTS + "&per_page=4 HTTP/1.1\r\nHost: x\r\n\r\n").repeat(6));
    }

    /** However short each is: a client chooses how little its connection takes at a time. */
    @Test
    void slowReadersOfShortAnswersDoNotEither() {
        slow("GET /index.php?rest_route=/cms/v2&_fields=namespaces,routes HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
    }

    /** Also where the container gives the answer itself, and where what has come of a body is no whole piece. */
    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS *", "CONNECT x:80", "POST /%zz", "POST /?p=1", "PUT /nowhere", "GET /"})
    void whatIsLeftOfABodyDoesNotEither(String line) {
        slow(head(line, "application/x-www-form-urlencoded", 100_000) + "a=");
        slow(line + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5");
    }

    private void slow(String request) {
        List<RawConnection> clients = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW; i++) {
                clients.add(connected().write(request));
            }
            for (int i = 0; i < 3; i++) {
                try (var light = connected()) {
                    light.write("GET /actuator/health/readiness HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(light.status()).isEqualTo(200);
                }
            }
        } finally {
            clients.forEach(RawConnection::close);
        }
    }

    @Test
    void healthAsksForTheContent() {
        // Clients of other tests may just have left.
        assertGivenBack(transfers()::waitingNow);
        JdbcClient jdbc = server.context().getBean(JdbcClient.class);
        assertThat(site.callAddress("GET", server.base() + "/actuator/health")
                        .send()
                        .status())
                .isEqualTo(200);

        jdbc.sql("alter table item rename to item_elsewhere").update();
        try {
            assertThat(site.callAddress("GET", server.base() + "/actuator/health")
                            .send()
                            .status())
                    .isEqualTo(503);
            assertThat(site.callAddress("GET", server.base() + "/actuator/health/readiness")
                            .send()
                            .status())
                    .isEqualTo(503);
            assertThat(site.callAddress("GET", server.base() + "/actuator/health/liveness")
                            .send()
                            .status())
                    .as("a restart would not mend it")
                    .isEqualTo(200);
        } finally {
            jdbc.sql("alter table item_elsewhere rename to item").update();
        }
    }
}

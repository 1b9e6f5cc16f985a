package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the widget and bulk-sync surfaces promise, over HTTP, on any database. Limits have tests of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SurfaceContract {
    private static final String DOCUMENTS = "/v1/cms/documents";
    private static final String WIDGET = "/api/v1/widget";
    private static final String TOKEN = "cms_first-token-of-the-contract-0001";
    private static final String OTHER_TOKEN = "cms_first-token-of-the-contract-0002";

    @AutoClose
    private final ReferenceServer server;

    private final Caller nobody;
    private final Caller site;
    private final Caller other;

    SurfaceContract(Database database) {
        server = ReferenceServer.start(
                database,
                "--ratelimit.enabled=false",
                "--content-api.provision.workspaces[0].id=first",
                "--content-api.provision.workspaces[0].token=" + TOKEN,
                "--content-api.provision.workspaces[1].id=second",
                "--content-api.provision.workspaces[1].token=" + OTHER_TOKEN,
                "--content-api.provision.coupons[0].workspace=first",
                "--content-api.provision.coupons[0].code=welcome10",
                "--content-api.provision.coupons[0].percent=10",
                "--content-api.provision.coupons[1].workspace=first",
                "--content-api.provision.coupons[1].code=SUMMER24",
                "--content-api.provision.coupons[1].percent=15",
                "--content-api.provision.coupons[1].expires-at=2024-09-01T00:00:00Z");
        nobody = Caller.nobody(new SiteClient(server.base()));
        site = nobody.with(TOKEN);
        other = nobody.with(OTHER_TOKEN);
    }

    @Test
    void initBeginsAConversation() {
        Answer answer = nobody.post(
                WIDGET + "/init", "{\"visitor\": {\"name\": \"Ann\"}, \"page\": \"https://example.org/a\"}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/expires_at")).endsWith("Z");

        JsonNode conversation =
                nobody.with(answer.text("/token")).get(WIDGET + "/conversation").json();
        assertThat(conversation.path("id")).isEqualTo(answer.json().path("conversation_id"));
        assertThat(conversation.path("status").asString()).isEqualTo("open");
        assertThat(conversation.path("visitor")).isEqualTo(Json.read("{\"name\": \"Ann\"}"));
        assertThat(conversation.path("page").asString()).isEqualTo("https://example.org/a");
        assertThat(conversation.path("messages")).isEmpty();
        assertThat(nobody.post(WIDGET + "/init").status()).as("without a body").isEqualTo(200);
    }

    @Test
    void messagesAreAnsweredFromTheSitesDocuments() {
        store(
                site,
                "{\"id\": 41, \"title\": \"Refunds\", \"url\": \"https://example.org/refunds\","
                        + " \"content\": \"<p>Bicycles are repaired on Mondays.</p><p>A refund is paid within nine days.</p>\"}");
        Caller visitor = nobody.visitor();

        Answer answer = visitor.post(WIDGET + "/messages", "{\"text\": \"How long does a refund take?\"}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("/message/text")).isEqualTo("How long does a refund take?");
        JsonNode reply = answer.json().path("answer");
        assertThat(reply.path("author").asString()).isEqualTo("assistant");
        assertThat(reply.path("text").asString()).isEqualTo("A refund is paid within nine days.");
        assertThat(reply.path("sources").get(0))
                .isEqualTo(Json.read("{\"document_id\": \"41\", \"title\": \"Refunds\","
                        + " \"url\": \"https://example.org/refunds\"}"));
        JsonNode stored = visitor.get(WIDGET + "/conversation").json().path("messages");
        assertThat(stored).containsExactly(answer.json().path("message"), reply);
    }

    @Test
    void theAnswerFollowsTheDocuments() {
        Caller visitor = nobody.visitor();
        String question = "{\"text\": \"zeppelin parking\"}";
        assertThat(answerTo(visitor, question).path("sources")).isEmpty();

        store(site, "{\"id\": \"zeppelin\", \"title\": \"Zeppelin\", \"content\": \"Parking is on the roof.\"}");
        assertThat(answerTo(visitor, question).path("text").asString()).isEqualTo("Parking is on the roof.");

        store(site, "{\"id\": \"zeppelin\", \"title\": \"Zeppelin\", \"content\": \"Parking is in the yard.\"}");
        assertThat(answerTo(visitor, question).path("text").asString()).isEqualTo("Parking is in the yard.");

        assertThat(site.delete(DOCUMENTS + "/zeppelin").status()).isEqualTo(200);
        assertThat(answerTo(visitor, question).path("sources")).isEmpty();
    }

    @Test
    void aWidgetMayNameItsWorkspace() {
        store(other, "{\"id\": 1, \"title\": \"Submarines\", \"content\": \"Submarines dive at noon.\"}");

        Answer begun = nobody.post(WIDGET + "/init", "{\"workspace\": \"second\"}");
        Caller visitor = nobody.with(begun.text("/token"));
        assertThat(answerTo(visitor, "{\"text\": \"submarines\"}").path("text").asString())
                .isEqualTo("Submarines dive at noon.");

        assertThat(answerTo(nobody.visitor(), "{\"text\": \"submarines\"}").path("sources"))
                .as("of the first workspace")
                .isEmpty();
    }

    @Test
    void nobodyLearnsWhichWorkspacesThereAre() {
        for (String workspace : List.of("second", "third")) {
            Answer begun = nobody.post(WIDGET + "/init", "{\"workspace\": \"" + workspace + "\"}");
            assertThat(begun.status()).isEqualTo(200);
            Caller visitor = nobody.with(begun.text("/token"));
            assertThat(answerTo(visitor, "{\"text\": \"zeppelins\"}").path("sources"))
                    .isEmpty();
            assertNotFound(visitor.post(WIDGET + "/coupon/apply", "{\"code\": \"WELCOME10\"}"));
        }
    }

    @Test
    void questionsOfAnyFormAreAnswered() {
        Caller visitor = nobody.visitor();
        for (String text : List.of(
                "the of and",
                "?!",
                "\\\"",
                "title:* AND (",
                "[1 TO 2]",
                "x ".repeat(1999),
                "\\ud83d\\ude00",
                "日本語の質問")) {
            assertThat(visitor.post(WIDGET + "/messages", "{\"text\": \"" + text + "\"}")
                            .status())
                    .as(text)
                    .isEqualTo(201);
        }
    }

    @Test
    void feedbackBelongsToAMessageOfTheConversation() {
        Caller visitor = nobody.visitor();
        String id = answerTo(visitor, "{\"text\": \"hello\"}").path("id").asString();

        Answer given =
                visitor.post(WIDGET + "/messages/" + id + "/feedback", "{\"helpful\": false, \"comment\": \"no\"}");
        assertThat(given.status()).isEqualTo(201);
        assertThat(given.text("/message_id")).isEqualTo(id);
        assertThat(given.json().path("helpful").asBoolean()).isFalse();
        assertThat(visitor.post(WIDGET + "/messages/" + id + "/feedback").status())
                .isEqualTo(201);

        assertNotFound(visitor.post(WIDGET + "/messages/" + UUID.randomUUID() + "/feedback", "{}"));
        assertNotFound(visitor.post(WIDGET + "/messages/7/feedback", "{}"));
        assertNotFound(nobody.visitor().post(WIDGET + "/messages/" + id + "/feedback", "{}"));
        assertNotFound(visitor.post(WIDGET + "/messages/" + id + "/praise", "{}"));
    }

    @Test
    void aClosedConversationTakesNoMessagesUntilItIsReopened() {
        Caller visitor = nobody.visitor();
        assertThat(visitor.post(WIDGET + "/conversation/close").text("/status")).isEqualTo("closed");

        Answer rejected = visitor.post(WIDGET + "/messages", "{\"text\": \"hello\"}");
        assertThat(rejected.status()).isEqualTo(409);
        assertThat(rejected.text("/error/code")).isEqualTo("conversation_closed");

        assertThat(visitor.post(WIDGET + "/conversation/reopen").text("/status"))
                .isEqualTo("open");
        assertThat(visitor.post(WIDGET + "/messages", "{\"text\": \"hello\"}").status())
                .isEqualTo(201);
    }

    @Test
    void aConversationIsRenamed() {
        Caller visitor = nobody.visitor();
        Answer renamed = visitor.post(WIDGET + "/conversation/rename", "{\"title\": \"Größe \uD83D\uDE00\"}");
        assertThat(renamed.text("/title")).isEqualTo("Größe \uD83D\uDE00");
        assertThat(visitor.get(WIDGET + "/conversation").text("/title")).isEqualTo("Größe \uD83D\uDE00");
        assertThat(visitor.post(WIDGET + "/conversation/rename")
                        .json()
                        .path("title")
                        .isNull())
                .isTrue();
    }

    @Test
    void visitorsLeaveThingsAndEraseThemAll() {
        Caller visitor = nobody.visitor();
        Answer lead = visitor.post(
                WIDGET + "/leads",
                "{\"email\": \"ann@example.org\", \"name\": \"Ann\", \"phone\": \"+1 2\", \"note\": \"soon\"}");
        assertThat(lead.status()).isEqualTo(201);
        assertThat(lead.text("/note")).isEqualTo("soon");
        Answer event = visitor.post(
                WIDGET + "/events", "{\"name\": \"opened\", \"properties\": {\"half\": \"\\ud83d\", \"n\": [1]}}");
        assertThat(event.status()).isEqualTo(202);
        assertThat(event.json().at("/properties/n")).isEqualTo(Json.read("[1]"));
        Answer rating = visitor.post(WIDGET + "/satisfaction", "{\"rating\": 4, \"comment\": \"good\"}");
        assertThat(rating.status()).isEqualTo(201);
        assertThat(rating.json().path("conversation_id")).isEqualTo(lead.json().path("conversation_id"));
        Answer anonymous = nobody.post(WIDGET + "/satisfaction", "{\"rating\": 1}");
        assertThat(anonymous.status()).isEqualTo(201);
        String message = answerTo(visitor, "{\"text\": \"x\"}").path("id").asString();
        visitor.post(WIDGET + "/messages/" + message + "/feedback", "{\"comment\": \"so so\"}");

        assertThat(visitor.post(WIDGET + "/conversation/erase").status()).isEqualTo(204);

        Map.of("lead", lead, "event", event, "rating", rating)
                .forEach(
                        (table, left) -> assertThat(rows(table, left)).as(table).isZero());
        assertThat(rows("rating", anonymous)).isOne();
        for (String path : List.of("/messages", "/leads", "/events", "/conversation/close", "/satisfaction")) {
            Answer gone = visitor.post(
                    WIDGET + path, "{\"text\": \"x\", \"email\": \"a@b.example\", \"name\": \"x\", \"rating\": 1}");
            assertError(gone, 401, "unauthorized");
        }
        assertError(visitor.post(WIDGET + "/conversation/erase"), 401, "unauthorized");
    }

    private long rows(String table, Answer left) {
        return server.context()
                .getBean(JdbcClient.class)
                .sql("select count(*) from widget_" + table + " where id = :id")
                .param("id", UUID.fromString(left.text("/id")))
                .query(Long.class)
                .single();
    }

    @Test
    void everyIdThatIsAcceptedCanBeReadAndDeleted() {
        for (String id : List.of("a/b", "50%", "..", "a,b", "a b", "+", "\\", ";x=1", "\u00e9\u20ac", "%2f", "a\nb")) {
            String query = DOCUMENTS + "?id=" + Query.encode(id);
            store(site, "{\"title\": \"t\", \"id\": " + JsonNodeFactory.instance.stringNode(id) + "}");

            assertThat(site.get(query).text("/id")).as(id).isEqualTo(id);
            assertNotFound(other.get(query));
            assertNotFound(other.delete(query));
            assertThat(site.delete(query).number("/deleted")).as(id).isEqualTo(1);
            assertNotFound(site.get(query));
        }
        assertInvalid(site.get(DOCUMENTS + "?id="), "id", "is required");
        assertInvalid(site.delete(DOCUMENTS + "?id=a&id=b"), "id", "must be given once");
        assertInvalid(site.get(DOCUMENTS + "?id=%00"), "id", "must be well-formed text without NUL");
        assertInvalid(site.get(DOCUMENTS + "?id=" + "x".repeat(192)), "id", "must have at most 191 characters");
    }

    @Test
    void aPageIsNeverTooLongForItsReader() {
        for (int i = 0; i < 21; i++) {
            store(other, "{\"id\": \"long" + i + "\", \"content\": \"" + "x ".repeat(100_000) + "\"}");
        }
        assertError(other.get(DOCUMENTS + "?per_page=100"), 413, "too_large");
        assertThat(other.get(DOCUMENTS + "?per_page=5").json().path("items")).hasSize(5);
    }

    @Test
    void typingIsRememberedWithATokenAndTakenWithout() {
        Caller visitor = nobody.visitor();
        Answer typing = visitor.post(WIDGET + "/typing", "{}");
        assertThat(typing.status()).isEqualTo(204);
        assertThat(typing.bytes()).isEmpty();
        assertThat(visitor.get(WIDGET + "/conversation").text("/visitor_typing_at"))
                .endsWith("Z");
        assertThat(nobody.post(WIDGET + "/typing", "{}").status()).isEqualTo(204);
    }

    @Test
    void couponsAreKnownUnknownOrExpired() {
        Answer applied = nobody.post(WIDGET + "/coupon/apply", "{\"code\": \" welcome10 \"}");
        assertThat(applied.status()).isEqualTo(200);
        assertThat(applied.json().path("discount")).isEqualTo(Json.read("{\"type\": \"percent\", \"value\": 10}"));

        assertNotFound(nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"WELCOME11\"}"));
        Answer expired = nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"SUMMER24\"}");
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.text("/error/code")).isEqualTo("coupon_expired");
    }

    /** Each row: the path, a site's where it begins with a slash; the body; the field and its problem. LONG has 4,001 letters, CONTROL is U+0001. */
    @ParameterizedTest
    @CsvFileSource(resources = "/widget/invalid-bodies.csv", delimiter = '|', quoteCharacter = '`')
    void bodiesThatDoNotFitAreRejectedByField(String path, String body, String field, String problem) {
        Caller caller = path.startsWith("/") ? site : nobody.visitor();
        String address = path.startsWith("/") ? path : WIDGET + "/" + path;
        assertInvalid(
                caller.post(address, body.replace("LONG", "x".repeat(4001)).replace("CONTROL", "\u0001")),
                field,
                problem);
    }

    @Test
    void bodiesThatAreNoJsonAreRejectedWhole() {
        SiteClient.Call empty =
                nobody.call("POST", WIDGET + "/satisfaction").header("Content-Type", "application/json");
        assertInvalid(empty.send(), "body", "is required");
        byte[] latin1 = "{\"rating\": 1, \"comment\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(empty.body(latin1).send().status()).isEqualTo(422);
        String deep = "{\"visitor\": " + "{\"a\": ".repeat(100) + "1" + "}".repeat(100) + "}";
        assertThat(nobody.post(WIDGET + "/init", deep).status()).isEqualTo(422);
        assertInvalid(site.get(DOCUMENTS + "?page=0"), "page", "must be a whole number from 1 to 20000");
        assertInvalid(site.get(DOCUMENTS + "?per_page=101"), "per_page", "must be a whole number from 1 to 100");
    }

    /** What no controller answers. */
    @Test
    void otherFailuresHaveTheSameForm() {
        assertError(
                RawConnection.once(
                        server.base(), "GET " + DOCUMENTS + "?page=%zz HTTP/1.1", "", "Authorization: Bearer " + TOKEN),
                400,
                "bad_request");
        assertThat(nobody.get(WIDGET + "/typing").header("Allow")).contains("POST");
        assertNotFound(nobody.get(WIDGET));
        assertNotFound(nobody.get(WIDGET + "/other"));
        assertThat(nobody.get("/error").status()).isEqualTo(404);
        SiteClient.Call form = nobody.call("POST", "/error").header("Content-Type", "multipart/form-data");
        assertThat(form.send().status()).isEqualTo(404);
    }

    @Test
    void documentsAreUpsertedListedAndDeleted() {
        String three = "{\"documents\": [{\"id\": \"d1\", \"title\": \"One\"}, {\"id\": \"d2\", \"content\": \"Two\"},"
                + " {\"id\": 3, \"title\": \"Three\", \"url\": \"https://example.org/3\"}]}";
        assertThat(other.post(DOCUMENTS, three).json())
                .isEqualTo(Json.read("{\"created\": 3, \"updated\": 0, \"unchanged\": 0, \"deleted\": 0}"));
        assertThat(other.post(DOCUMENTS, three.replace("\"Two\"", "\"Zwei\"")).json())
                .isEqualTo(Json.read("{\"created\": 0, \"updated\": 1, \"unchanged\": 2, \"deleted\": 0}"));
        assertThat(other.get(DOCUMENTS + "/d2").text("/content")).isEqualTo("Zwei");

        List<String> ids = new ArrayList<>();
        JsonNode page = other.get(DOCUMENTS + "?per_page=2").json();
        long pages = page.path("total_pages").asLong();
        for (int number = 1; number <= pages; number++) {
            other.get(DOCUMENTS + "?per_page=2&page=" + number)
                    .json()
                    .path("items")
                    .forEach(document -> ids.add(document.path("id").asString()));
        }
        assertThat(ids)
                .contains("d1", "d2", "3")
                .doesNotHaveDuplicates()
                .hasSize(page.path("total").asInt());

        assertThat(other.call("DELETE", DOCUMENTS)
                        .json("{\"ids\": [\"d1\", \"none\"]}")
                        .send()
                        .json())
                .isEqualTo(Json.read("{\"created\": 0, \"updated\": 0, \"unchanged\": 0, \"deleted\": 1}"));
        assertThat(other.call("DELETE", DOCUMENTS)
                        .json("{\"documents\": [{\"title\": \"x\", \"id\": 3}]}")
                        .send()
                        .number("/deleted"))
                .isEqualTo(1);
        assertThat(other.delete(DOCUMENTS + "/d2").status()).isEqualTo(200);
        assertNotFound(other.delete(DOCUMENTS + "/d2"));
        assertNotFound(other.get(DOCUMENTS + "/d1"));
        assertNotFound(other.get(DOCUMENTS + "/41"));
    }

    @Test
    void syncMakesTheSetExactlyThis() {
        String token = "cms_third-token-of-the-contract-0003";
        server.context().getBean(Workspaces.class).accept("third", token);
        Caller third = nobody.with(token);
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            documents.add("{\"id\": " + i + ", \"title\": \"Number " + i + "\"}");
        }
        assertThat(third.post("/v1/cms/sync", "{\"documents\": " + documents + "}")
                        .json())
                .isEqualTo(Json.read("{\"created\": 1200, \"updated\": 0, \"unchanged\": 0, \"deleted\": 0}"));

        List<String> fewer = new ArrayList<>(documents.subList(0, 600));
        fewer.set(0, "{\"id\": 0, \"title\": \"Naught\"}");
        fewer.add("{\"id\": \"new\", \"title\": \"New\"}");
        assertThat(third.post("/v1/cms/sync", "{\"documents\": " + fewer + "}").json())
                .isEqualTo(Json.read("{\"created\": 1, \"updated\": 1, \"unchanged\": 599, \"deleted\": 600}"));
        assertThat(third.get(DOCUMENTS).number("/total")).isEqualTo(601);

        assertInvalid(third.post("/v1/cms/sync", "{}"), "documents", "is required");
        List<String> many = Collections.nCopies(1001, "{\"id\": 1, \"title\": \"x\"}");
        assertInvalid(
                third.post(DOCUMENTS, "{\"documents\": " + many + "}"), "documents", "must have at most 1000 items");
        assertThat(third.post("/v1/cms/sync", "{\"documents\": []}").number("/deleted"))
                .isEqualTo(601);
    }

    @Test
    void concurrentChangesOfOneWorkspaceLoseNothing() {
        String document = "{\"id\": \"c%s\", \"title\": \"Concurrency\", \"content\": \"kumquat %s\"}";
        assertThat(AtOnce.run(
                        40, i -> store(site, document.formatted(i % 20, i)).status()))
                .containsOnly(200);
        for (int i = 0; i < 20; i++) {
            String content = site.get(DOCUMENTS + "/c" + i).text("/content");
            assertThat(content).isIn("kumquat " + i, "kumquat " + (i + 20));
        }
        assertThat(answerTo(nobody.visitor(), "{\"text\": \"kumquat\"}").path("sources"))
                .hasSize(3);
    }

    @Test
    void aConversationKeepsNoMoreThanItsSizeAndMayStillBeReadAndErased() {
        Caller visitor = nobody.visitor();
        String event = "{\"name\": \"e\", \"properties\": {\"x\": \"" + "x".repeat(15_800) + "\"}}";
        for (int i = 0; i < 32; i++) {
            assertThat(visitor.post(WIDGET + "/events", event).status()).isEqualTo(202);
        }

        for (int i = 0; i < 3; i++) {
            assertError(visitor.post(WIDGET + "/events", event), 413, "quota_exceeded");
        }
        String text = "{\"text\": \"" + "y".repeat(3_900) + "\"}";
        for (int i = 0; i < 3; i++) {
            assertThat(visitor.post(WIDGET + "/messages", text).status()).isEqualTo(201);
        }
        assertError(visitor.post(WIDGET + "/messages", text), 413, "quota_exceeded");
        assertThat(visitor.get(WIDGET + "/conversation").json().path("messages"))
                .hasSize(6);
        assertThat(visitor.post(WIDGET + "/conversation/close").status()).isEqualTo(200);
        assertThat(visitor.post(WIDGET + "/conversation/erase").status()).isEqualTo(204);
        assertThat(nobody.visitor().post(WIDGET + "/events", event).status()).isEqualTo(202);
    }

    /** An exception costs a stack trace; H2 writes it to a file besides. */
    @Test
    void noRequestThatIsFulfilledMakesTheDatabaseThrow(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("exceptions.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JavaExceptionThrow").withStackTrace();
            recording.start();
            useEveryTable();
            recording.stop();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getClass("thrownClass").getName().matches(".*(SQL|sql|Jdbc).*"))
                        .map(RecordedEvent::toString))
                .isEmpty();
        assertThat(server.dataDirectory().resolve("content.trace.db")).doesNotExist();
    }

    private void useEveryTable() {
        store(site, "{\"id\": \"throw\", \"title\": \"Throwing\", \"content\": \"Javelins.\"}");
        Caller visitor = nobody.visitor();
        JsonNode reply = answerTo(visitor, "{\"text\": \"javelins\"}");
        String feedback = WIDGET + "/messages/" + reply.path("id").asString() + "/feedback";
        SiteClient content = new SiteClient(server.base()).as("editor");
        Answer made = content.post(
                "/cms/v2/posts", "{\"title\": \"Javelins\", \"content\": \"Fly.\", \"status\": \"publish\"}");
        String post = "/cms/v2/posts/" + made.id();
        List<Answer> answers = new ArrayList<>(List.of(
                made,
                visitor.post(feedback, "{\"helpful\": true}"),
                visitor.post(WIDGET + "/events", "{\"name\": \"opened\"}"),
                visitor.post(WIDGET + "/leads", "{\"email\": \"ann@example.org\"}"),
                visitor.post(WIDGET + "/satisfaction", "{\"rating\": 5}"),
                nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"WELCOME10\"}"),
                visitor.get(WIDGET + "/conversation"),
                site.get(DOCUMENTS),
                site.get(DOCUMENTS + "/throw"),
                site.delete(DOCUMENTS + "/throw")));
        for (String route :
                List.of("/cms/v2/posts", post, post + "/revisions", "/cms/v2/categories", "/cms/v2/users")) {
            answers.add(content.get(route));
        }
        answers.add(content.delete(post));
        assertThat(answers).allMatch(answer -> answer.status() < 300);
    }

    private static Answer store(Caller site, String document) {
        Answer answer = site.post(DOCUMENTS, "{\"documents\": [" + document + "]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    private static JsonNode answerTo(Caller visitor, String message) {
        Answer answer = visitor.post(WIDGET + "/messages", message);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json().path("answer");
    }

    private static void assertInvalid(Answer answer, String field, String problem) {
        assertError(answer, 422, "invalid_request");
        JsonNode fields = answer.json().at("/error/fields");
        assertThat(fields.path(field).asString("")).as(answer.text()).isEqualTo(problem);
    }

    private static void assertNotFound(Answer answer) {
        assertError(answer, 404, "not_found");
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/json");
        assertThat(answer.text("/error/code")).isEqualTo(code);
        assertThat(answer.text("/error/message")).isNotEmpty();
    }
}

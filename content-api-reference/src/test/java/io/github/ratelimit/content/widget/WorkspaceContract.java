package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a site does with its workspace, and that no other site can: over HTTP, on any database. */
abstract class WorkspaceContract extends TwoWorkspacesContract {

    private static final String CMS = "/v1/cms";

    WorkspaceContract(Database database) {
        super(database);
    }

    // Documents

    @Test
    void everyIdThatIsAcceptedCanBeReadAndDeleted() {
        for (String id : List.of(
                "a/b",
                "https://example.org/a?b=c&d#e",
                "50%",
                "..",
                ".",
                "a,b",
                "a b",
                "+",
                "\\",
                ";x=1",
                "\u00e9\u20ac",
                "%2f",
                "a\nb",
                "7")) {
            String query = DOCUMENTS + "?id=" + Query.encode(id);
            assertThat(site.post(
                                    DOCUMENTS,
                                    "{\"documents\": ["
                                            + JsonNodeFactory.instance
                                                    .objectNode()
                                                    .put("id", id)
                                                    .put("title", "t") + "]}")
                            .status())
                    .as(id)
                    .isEqualTo(200);

            assertThat(site.get(query).json().path("id").asString()).as(id).isEqualTo(id);
            assertError(other.get(query), 404, "not_found");
            assertError(other.delete(query), 404, "not_found");
            assertThat(site.delete(query).json().path("deleted").asInt()).as(id).isEqualTo(1);
            assertError(site.get(query), 404, "not_found");
            assertError(site.delete(query), 404, "not_found");
        }
        assertInvalid(site.get(DOCUMENTS + "?id="), "id", "is required");
        assertInvalid(site.delete(DOCUMENTS + "?id=a&id=b"), "id", "must be given once");
        assertInvalid(site.get(DOCUMENTS + "?id=%00"), "id", "must be well-formed text without NUL");
        assertInvalid(site.get(DOCUMENTS + "?id=" + "x".repeat(192)), "id", "must have at most 191 characters");
        assertError(nobody.get(DOCUMENTS + "?id=1"), 401, "unauthorized");
    }

    @Test
    void documentsAreSearchedAndListedByTheirChange() {
        Caller third = workspace("third");
        third.post(
                DOCUMENTS,
                "{\"documents\": [{\"id\": \"a\", \"title\": \"About us\", \"content\": \"<p>Caf\u00e9</p><p>Refunds</p>\"},"
                        + "{\"id\": \"b\", \"title\": \"Menu\", \"content\": \"<b>tea</b>\"},"
                        + "{\"id\": \"c\", \"title\": \"The who\"}]}");
        String second = third.get(DOCUMENTS + "?id=b").json().path("updated_at").asString();

        assertThat(ids(third, "?search=about")).containsExactly("a");
        assertThat(ids(third, "?search=CAFE%20refund"))
                .as("words of two passages")
                .containsExactly("a");
        assertThat(ids(third, "?search=cafe%20tea")).isEmpty();
        assertThat(ids(third, "?search=who")).containsExactly("c");
        assertThat(ids(third, "?search=m")).containsExactly("b");
        assertThat(ids(third, "?search=p")).as("no markup").isEmpty();
        assertThat(ids(third, "?search=")).hasSize(3);
        assertThat(ids(third, "?search=%3F%21")).isEmpty();
        assertThat(ids(other, "?search=about")).as("of another workspace").isEmpty();
        assertThat(ids(third, "?search=e&per_page=1&page=2")).isEmpty();

        assertThat(ids(third, "?updated_after=" + second)).isEmpty();
        assertThat(ids(third, "?updated_after=2000-01-01T00:00:00Z")).hasSize(3);
        assertThat(ids(third, "?updated_after=2000-01-01T00:00:00Z&search=tea")).containsExactly("b");
        assertThat(ids(third, "?updated_after=2999-01-01T00:00:00%2B01:00&search=tea"))
                .isEmpty();
        for (String moment : List.of("", "5", "2026-01-01", "2026-02-30T00:00:00Z", "%2B99999-01-01T00:00:00Z")) {
            assertThat(third.get(DOCUMENTS + "?updated_after=" + moment).status())
                    .as(moment)
                    .isEqualTo(422);
        }
        assertInvalid(
                third.get(DOCUMENTS + "?updated_after=1969-01-01T00:00:00Z&search=%00"),
                "updated_after",
                "must be from 1970 to 9999");
        assertInvalid(
                third.get(DOCUMENTS + "?search=" + "x".repeat(501)), "search", "must have at most 500 characters");
    }

    @Test
    void unchangedDocumentsAreNotSentAgain() {
        site.post(DOCUMENTS, "{\"documents\": [{\"id\": \"tag\", \"title\": \"One\"}]}");
        for (String path : List.of(DOCUMENTS + "/tag", DOCUMENTS + "?id=tag", DOCUMENTS + "?per_page=100")) {
            String tag = site.get(path).header("ETag").orElse("");
            assertThat(tag).as(path).matches("\"[0-9a-f]{32}\"");
            Answer unchanged =
                    site.call("GET", path).header("If-None-Match", tag).send();
            assertThat(unchanged.status()).as(path).isEqualTo(304);
            assertThat(unchanged.bytes()).isEmpty();

            site.post(DOCUMENTS, "{\"documents\": [{\"id\": \"tag\", \"title\": \"" + path + "\"}]}");
            assertThat(site.call("GET", path)
                            .header("If-None-Match", tag)
                            .send()
                            .status())
                    .as(path)
                    .isEqualTo(200);
        }
        Caller left = workspace("tagged-left");
        Caller right = workspace("tagged-right");
        assertThat(left.get(DOCUMENTS).header("ETag"))
                .as("of another workspace that changed as often")
                .isNotEqualTo(right.get(DOCUMENTS).header("ETag"));
    }

    // Conversations

    @Test
    void aSiteReadsItsConversationsAndNoOthers() {
        Started own = init("{\"workspace\": \"first\"}");
        for (int i = 0; i < 3; i++) {
            say(own.caller(), "question " + i);
        }
        String path = CMS + "/conversations/" + own.id();

        assertThat(site.get(CMS + "/conversations").json().path("items").toString())
                .contains(own.id());
        assertThat(site.get(path).json().path("id").asString()).isEqualTo(own.id());
        List<JsonNode> messages = new ArrayList<>();
        for (int page = 1; page <= 3; page++) {
            JsonNode part = site.get(path + "/messages?per_page=2&page=" + page).json();
            assertThat(part.path("total").asInt()).isEqualTo(6);
            assertThat(part.path("total_pages").asInt()).isEqualTo(3);
            part.path("items").forEach(messages::add);
        }
        assertThat(messages)
                .extracting(message -> message.path("author").asString())
                .containsExactly("visitor", "assistant", "visitor", "assistant", "visitor", "assistant");
        assertThat(messages.get(4).path("text").asString()).isEqualTo("question 2");
        assertThat(own.caller()
                        .get(WIDGET + "/conversation/messages?per_page=2&page=3")
                        .json())
                .as("the visitor's own history")
                .isEqualTo(site.get(path + "/messages?per_page=2&page=3").json());

        for (String suffix : List.of("", "/messages")) {
            assertError(other.get(path + suffix), 404, "not_found");
            assertError(nobody.get(path + suffix), 401, "unauthorized");
            assertError(own.caller().get(path + suffix), 401, "unauthorized");
            assertError(site.get(CMS + "/conversations/" + UUID.randomUUID() + suffix), 404, "not_found");
            assertError(site.get(CMS + "/conversations/7" + suffix), 404, "not_found");
        }
        assertError(other.delete(path), 404, "not_found");
        assertThat(other.get(CMS + "/conversations").json().path("items").toString())
                .doesNotContain(own.id());
        for (String paging : List.of("?page=0", "?page=999999999", "?page=99999999999", "?per_page=101", "?page=-1")) {
            assertThat(site.get(path + "/messages" + paging).status())
                    .as(paging)
                    .isEqualTo(422);
            assertThat(own.caller()
                            .get(WIDGET + "/conversation/messages" + paging)
                            .status())
                    .isEqualTo(422);
        }
        assertError(nobody.get(WIDGET + "/conversation/messages"), 401, "unauthorized");
    }

    @Test
    void whoComesBackGoesOnWithTheConversation() {
        Started begun = init("{\"workspace\": \"second\", \"visitor\": \"v\"}");
        Answer again = begun.caller().post(WIDGET + "/init", "{\"visitor\": \"w\"}");

        assertThat(again.json().path("conversation_id").asString()).isEqualTo(begun.id());
        assertThat(nobody.with(again.json().path("token").asString())
                        .get(WIDGET + "/conversation")
                        .json()
                        .path("visitor")
                        .asString())
                .isEqualTo("v");
        assertThat(begun.caller()
                        .post(WIDGET + "/init", "{\"workspace\": \"second\"}")
                        .json()
                        .path("conversation_id"))
                .isEqualTo(again.json().path("conversation_id"));
        assertThat(begun.caller()
                        .post(WIDGET + "/init", "{\"workspace\": \"first\"}")
                        .json()
                        .path("conversation_id"))
                .as("another site's widget")
                .isNotEqualTo(again.json().path("conversation_id"));
        for (Caller caller : List.of(nobody.with("x.y.z"), site)) {
            Answer fresh = caller.post(WIDGET + "/init", "{}");
            assertThat(fresh.status()).isEqualTo(200);
            assertThat(fresh.json().path("conversation_id").asString()).isNotEqualTo(begun.id());
        }
    }

    @Test
    void whatAVisitorLeftIsErased() {
        Started visitor = init("{\"workspace\": \"first\", \"visitor\": \"erase-me\"}");
        Started same = init("{\"workspace\": \"first\"}");
        Started elsewhere = init("{\"workspace\": \"second\", \"visitor\": \"erase-me\"}");
        String message = say(visitor.caller(), "my secret")
                .json()
                .path("answer")
                .path("id")
                .asString();
        visitor.caller().post(WIDGET + "/messages/" + message + "/feedback", "{\"comment\": \"my opinion\"}");
        visitor.caller().post(WIDGET + "/events", "{\"name\": \"my event\"}");
        visitor.caller().post(WIDGET + "/satisfaction", "{\"rating\": 1, \"comment\": \"my rating\"}");
        same.caller().post(WIDGET + "/leads", "{\"email\": \"Erase@Example.org\"}");
        elsewhere.caller().post(WIDGET + "/leads", "{\"email\": \"erase@example.org\"}");

        assertError(other.delete(CMS + "/conversations/" + visitor.id()), 404, "not_found");
        assertThat(site.delete(CMS + "/visitors?email=erase%40example.org&visitor=erase-me")
                        .json())
                .isEqualTo(Json.read("{\"conversations\": 2}"));

        assertThat(rowsWith("widget_message", "text", "my secret")).isZero();
        assertThat(rowsWith("widget_feedback", "comment", "my opinion")).isZero();
        assertThat(rowsWith("widget_event", "name", "my event")).isZero();
        assertThat(rowsWith("widget_rating", "comment", "my rating")).isZero();
        assertThat(rowsWith("widget_lead", "email", "Erase@Example.org")).isZero();
        assertThat(rowsWith("widget_lead", "email", "erase@example.org"))
                .as("of another site")
                .isOne();
        assertError(site.get(CMS + "/conversations/" + visitor.id()), 404, "not_found");
        assertError(visitor.caller().get(WIDGET + "/conversation"), 401, "unauthorized");
        assertThat(elsewhere.caller().get(WIDGET + "/conversation").status()).isEqualTo(200);
        assertThat(visitor.caller()
                        .post(WIDGET + "/init", "{}")
                        .json()
                        .path("conversation_id")
                        .asString())
                .isNotEqualTo(visitor.id());

        assertThat(elsewhere.caller().post(WIDGET + "/conversation/erase").status())
                .isEqualTo(204);
        assertError(elsewhere.caller().post(WIDGET + "/conversation/erase"), 401, "unauthorized");
        Started last = init("{\"workspace\": \"first\"}");
        assertThat(site.delete(CMS + "/conversations/" + last.id()).status()).isEqualTo(204);
        assertError(site.delete(CMS + "/conversations/" + last.id()), 404, "not_found");
        assertError(site.delete(CMS + "/conversations/x"), 404, "not_found");
        assertInvalid(site.delete(CMS + "/visitors"), "email", "it or visitor is required");
        assertInvalid(site.delete(CMS + "/visitors?email="), "email", "is required");
        assertInvalid(site.delete(CMS + "/visitors?visitor=%00"), "visitor", "must be well-formed text without NUL");
        assertError(nobody.delete(CMS + "/visitors?email=a"), 401, "unauthorized");
    }

    /** Whatever is served at that moment: it comes before the erasure, and goes with it, or after it, and finds nobody. */
    @Test
    void whatIsLeftBesideAnErasureDoesNotOutliveIt() throws Exception {
        put(
                site,
                CMS + "/coupons/BESIDE",
                "{\"description\": \"d\", \"discount\": {\"type\": \"percent\", \"value\": 1}}");
        long ratings = rows("widget_rating");
        long applied = rows("workspace_coupon_application");
        long kept = rows("repeated_request");
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 8; round++) {
                Started visitor = init("{\"workspace\": \"first\"}");
                String message = say(visitor.caller(), "before")
                        .json()
                        .path("answer")
                        .path("id")
                        .asString();
                Map<String, String> bodies = new TreeMap<>(Map.of(
                        "/messages",
                        "{\"text\": \"beside\"}",
                        "/messages/" + message + "/feedback",
                        "{\"comment\": \"beside\"}",
                        "/events",
                        "{\"name\": \"beside\"}",
                        "/leads",
                        "{\"email\": \"beside@example.org\"}",
                        "/satisfaction",
                        "{\"rating\": 1, \"comment\": \"beside\"}",
                        "/coupon/apply",
                        "{\"code\": \"beside\"}",
                        "/conversation/rename",
                        "{\"title\": \"beside\"}",
                        "/conversation/erase",
                        ""));
                List<Callable<Answer>> calls = new ArrayList<>();
                bodies.forEach((path, body) -> calls.add(() -> keyed(visitor.caller(), WIDGET + path, path, body)));
                for (Future<Answer> answer : pool.invokeAll(calls)) {
                    assertThat(answer.get().status()).as(answer.get().text()).isIn(200, 201, 202, 204, 401, 404);
                }

                bodies.remove("/conversation/erase");
                bodies.forEach((path, body) -> assertThat(keyed(visitor.caller(), WIDGET + path, path, body)
                                .status())
                        .as("repeated: " + path)
                        .isIn(401, 404));
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(rowsWith("widget_message", "text", "beside")).isZero();
        assertThat(rowsWith("widget_feedback", "comment", "beside")).isZero();
        assertThat(rowsWith("widget_event", "name", "beside")).isZero();
        assertThat(rowsWith("widget_lead", "email", "beside@example.org")).isZero();
        assertThat(rows("widget_rating")).isEqualTo(ratings);
        assertThat(rows("workspace_coupon_application")).isEqualTo(applied);
        assertThat(rows("repeated_request"))
                .as("answers that are kept, but to erasures")
                .isEqualTo(kept + 8);
    }

    // Coupons and ratings

    @Test
    void aSiteManagesItsCoupons() {
        String percent = "{\"description\": \"Ten\", \"discount\": {\"type\": \"percent\", \"value\": 10}}";
        String path = CMS + "/coupons/";
        assertThat(put(site, path + "ten-1", percent).status()).isEqualTo(201);
        Answer replaced = put(
                site,
                path + "TEN-1",
                "{\"description\": \"Five\", \"discount\": {\"type\": \"amount\", \"value\": 500, \"currency\": \"EUR\"},"
                        + " \"expires_at\": \"2999-01-31T10:00:00+02:00\"}");
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.json().path("code").asString()).isEqualTo("TEN-1");
        assertThat(replaced.json().path("expires_at").asString()).isEqualTo("2999-01-31T08:00:00Z");
        assertThat(site.get(path + "ten-1").json()).isEqualTo(replaced.json());
        assertThat(site.get(CMS + "/coupons").json().path("items")).contains(replaced.json());

        assertError(other.get(path + "TEN-1"), 404, "not_found");
        assertError(other.delete(path + "TEN-1"), 404, "not_found");
        assertThat(other.get(CMS + "/coupons").json().path("items").toString()).doesNotContain("TEN-1");
        assertError(nobody.get(CMS + "/coupons"), 401, "unauthorized");
        assertError(put(nobody, path + "X", percent), 401, "unauthorized");

        Answer applied = nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"ten-1\", \"workspace\": \"first\"}");
        assertThat(applied.json().path("discount"))
                .isEqualTo(Json.read("{\"type\": \"amount\", \"value\": 500, \"currency\": \"EUR\"}"));
        assertThat(site.delete(path + "ten-1").status()).isEqualTo(204);
        assertError(site.delete(path + "ten-1"), 404, "not_found");
        assertError(
                nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"TEN-1\", \"workspace\": \"first\"}"),
                404,
                "not_found");
        assertThat(site.get(CMS + "/coupon-applications").json().path("items"))
                .as("what was granted stays granted")
                .contains(applied.json());
        assertThat(other.get(CMS + "/coupon-applications").json().path("items").toString())
                .doesNotContain("TEN-1");
    }

    @Test
    void couponsThatDoNotFitAreRefusedByField() {
        String path = CMS + "/coupons/C";
        String percent = "{\"description\": \"x\", \"discount\": {\"type\": \"percent\", \"value\": %s}}";
        assertInvalid(
                put(site, path, "{\"discount\": {\"type\": \"percent\", \"value\": 1}}"), "description", "is required");
        assertInvalid(put(site, path, "{\"description\": \"x\"}"), "discount", "is required");
        assertInvalid(
                put(site, path, "{\"description\": \"x\", \"discount\": {\"value\": 1}}"),
                "discount.type",
                "is required");
        assertInvalid(
                put(site, path, "{\"description\": \"x\", \"discount\": {\"type\": \"gift\", \"value\": 1}}"),
                "discount.type",
                "must be 'percent' or 'amount'");
        for (String value : List.of("0", "-1", "101")) {
            assertInvalid(put(site, path, percent.formatted(value)), "discount.value", "must be from 1 to 100");
        }
        for (String value : List.of("1.5", "\"1\"", "9999999999")) {
            assertInvalid(put(site, path, percent.formatted(value)), "discount.value", "has the wrong type");
        }
        assertInvalid(
                put(site, path, "{\"description\": \"x\", \"discount\": {\"type\": \"amount\", \"value\": 1}}"),
                "discount.currency",
                "is required");
        assertInvalid(
                put(
                        site,
                        path,
                        "{\"description\": \"x\", \"discount\": {\"type\": \"amount\", \"value\": 1,"
                                + " \"currency\": \"eur\"}}"),
                "discount.currency",
                "must be three capital letters");
        assertInvalid(
                put(
                        site,
                        path,
                        "{\"description\": \"x\", \"discount\": {\"type\": \"percent\", \"value\": 1},"
                                + " \"expires_at\": \"tomorrow\"}"),
                "expires_at",
                "must be a moment with a zone, like 2026-01-31T10:00:00Z");
        assertInvalid(
                put(site, CMS + "/coupons/a%20b", percent.formatted(1)),
                "code",
                "must be 1 to 64 letters, digits, '.', '_' and '-'");
        assertError(site.get(path), 404, "not_found");
    }

    @Test
    void whatIsLeftWithoutATokenBelongsToTheWorkspaceItNames() {
        put(
                other,
                CMS + "/coupons/SECOND",
                "{\"description\": \"x\", \"discount\": {\"type\": \"percent\", \"value\": 2}}");
        Answer rating = nobody.post(WIDGET + "/satisfaction", "{\"rating\": 2, \"workspace\": \"second\"}");
        Answer coupon = nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"second\", \"workspace\": \"second\"}");

        assertThat(rating.status()).isEqualTo(201);
        assertThat(coupon.status()).isEqualTo(200);
        assertThat(other.get(CMS + "/ratings").json().path("items")).contains(rating.json());
        assertThat(site.get(CMS + "/ratings").json().path("items")).doesNotContain(rating.json());
        assertThat(other.get(CMS + "/coupon-applications").json().path("items")).contains(coupon.json());
        assertThat(site.get(CMS + "/coupon-applications").json().path("items")).doesNotContain(coupon.json());
        assertError(nobody.post(WIDGET + "/coupon/apply", "{\"code\": \"SECOND\"}"), 404, "not_found");

        for (String path : List.of("/satisfaction", "/coupon/apply")) {
            String body = "{\"rating\": 2, \"code\": \"SECOND\", \"workspace\": \"%s\"}";
            assertInvalid(
                    init("{\"workspace\": \"first\"}").caller().post(WIDGET + path, body.formatted("second")),
                    "workspace",
                    "is not the one of the token");
        }
    }

    // Tokens

    @Test
    void aTokenIsRotatedAndStaysTheSame() {
        Caller owner = workspace("rotating");
        String id = owner.get(CMS + "/tokens")
                .json()
                .path("items")
                .get(0)
                .path("id")
                .asString();

        Answer rotated = owner.post(CMS + "/tokens/rotate", "{\"overlap_seconds\": 0}");
        Caller fresh = nobody.with(rotated.json().path("token").asString());
        assertThat(rotated.json().path("id").asString()).isEqualTo(id);
        assertError(owner.get(CMS + "/tokens"), 401, "unauthorized");
        assertThat(fresh.get(CMS + "/tokens").json().path("items"))
                .singleElement()
                .satisfies(token -> {
                    assertThat(token.path("id").asString()).isEqualTo(id);
                    assertThat(token.path("current").asBoolean()).isTrue();
                });

        Answer overlapping = fresh.post(CMS + "/tokens/rotate", "{\"overlap_seconds\": 60}");
        Caller newest = nobody.with(overlapping.json().path("token").asString());
        assertThat(fresh.get(CMS + "/tokens").status()).as("for a minute").isEqualTo(200);
        assertThat(newest.get(CMS + "/tokens").json().path("items")).hasSize(1);
        newest.post(CMS + "/tokens/rotate", "{\"overlap_seconds\": 60}");
        assertError(fresh.get(CMS + "/tokens"), 401, "unauthorized");

        for (String seconds : List.of("-1", "86401")) {
            assertInvalid(
                    newest.post(CMS + "/tokens/rotate", "{\"overlap_seconds\": " + seconds + "}"),
                    "overlap_seconds",
                    "must be from 0 to 86400");
        }
        assertError(nobody.post(CMS + "/tokens/rotate"), 401, "unauthorized");
    }

    @Test
    void aTokenIsRevokedForGood() {
        String first = "cms_revoked-token-of-the-contract-1";
        String second = "cms_revoked-token-of-the-contract-2";
        Workspaces workspaces = server.context().getBean(Workspaces.class);
        workspaces.accept("revoking", first);
        workspaces.accept("revoking", second);
        Caller owner = nobody.with(first);
        String own = idOf(owner, true);
        String leaked = idOf(owner, false);

        assertError(site.delete(CMS + "/tokens/" + leaked), 404, "not_found");
        assertError(owner.delete(CMS + "/tokens/x"), 404, "not_found");
        assertThat(owner.delete(CMS + "/tokens/" + leaked).status()).isEqualTo(204);
        assertError(nobody.with(second).get(DOCUMENTS), 401, "unauthorized");
        assertError(owner.delete(CMS + "/tokens/" + leaked), 404, "not_found");
        assertError(owner.delete(CMS + "/tokens/" + own), 409, "last_token");

        workspaces.accept("revoking", second); // as the next start does, which finds it in the settings
        assertError(nobody.with(second).get(DOCUMENTS), 401, "unauthorized");
        assertThat(owner.get(DOCUMENTS).status()).isEqualTo(200);
    }

    private static String idOf(Caller owner, boolean current) {
        for (JsonNode token : owner.get(CMS + "/tokens").json().path("items")) {
            if (token.path("current").asBoolean() == current) {
                return token.path("id").asString();
            }
        }
        throw new AssertionError("no such token");
    }

    // Origins

    @Test
    void eachWorkspaceHasItsOwnOrigins() {
        Caller left = workspace("left");
        Caller right = workspace("right");
        String list = "{\"origins\": [\"https://left.example\", \"http://localhost:3000\", \"https://left.example\"]}";
        assertThat(put(left, CMS + "/origins", list).json().path("origins"))
                .isEqualTo(Json.read("[\"http://localhost:3000\", \"https://left.example\"]"));
        put(right, CMS + "/origins", "{\"origins\": [\"https://right.example\"]}");
        assertThat(right.get(CMS + "/origins").json().path("origins").size()).isEqualTo(1);

        for (String origin : List.of("https://left.example", "https://right.example", "http://localhost:3000")) {
            assertThat(preflight(origin)).as(origin).isEqualTo(204);
        }
        assertThat(preflight("https://evil.example")).isEqualTo(403);
        assertThat(preflight("null")).isEqualTo(403);

        String ofLeft = "{\"workspace\": \"left\"}";
        assertThat(readableBy("https://left.example", nobody, "POST", "/init", ofLeft))
                .isTrue();
        assertThat(readableBy("https://right.example", nobody, "POST", "/init", ofLeft))
                .isFalse();
        assertThat(readableBy("https://evil.example", nobody, "POST", "/init", ofLeft))
                .isFalse();
        assertThat(readableBy(
                        "https://right.example",
                        nobody,
                        "POST",
                        "/satisfaction",
                        "{\"rating\": 5, \"workspace\": \"left\"}"))
                .isFalse();
        assertThat(readableBy("https://right.example", nobody, "POST", "/init", "{"))
                .as("of no workspace")
                .isTrue();
        Caller visitor = init(ofLeft).caller();
        assertThat(readableBy("https://left.example", visitor, "GET", "/conversation", ""))
                .isTrue();
        assertThat(readableBy("https://right.example", visitor, "GET", "/conversation", ""))
                .isFalse();
        assertThat(readableBy("https://right.example", visitor, "POST", "/init", "{}"))
                .isFalse();

        put(left, CMS + "/origins", "{\"origins\": [\"*\"]}");
        assertThat(readableBy("https://anybody.example", visitor, "GET", "/conversation", ""))
                .isTrue();
        put(left, CMS + "/origins", "{\"origins\": []}");
        assertThat(readableBy("https://left.example", visitor, "GET", "/conversation", ""))
                .isFalse();

        for (String bad :
                List.of("left.example", "https://left.example/", "https://Left.example", "null", "", "https://*.x")) {
            assertInvalid(
                    put(left, CMS + "/origins", "{\"origins\": [\"https://ok.example\", \"" + bad + "\"]}"),
                    "origins[1]",
                    "must be '*' or like https://www.example.org");
        }
        assertThat(left.get(CMS + "/origins").json().path("origins"))
                .as("nothing half done")
                .isEmpty();
        assertInvalid(put(left, CMS + "/origins", "{}"), "origins", "is required");
        assertError(put(nobody, CMS + "/origins", list), 401, "unauthorized");
    }

    private int preflight(String origin) {
        return nobody.call("OPTIONS", WIDGET + "/init")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .send()
                .status();
    }

    private static boolean readableBy(String origin, Caller caller, String method, String path, String body) {
        SiteClient.Call call = caller.call(method, WIDGET + path).header("Origin", origin);
        Answer answer = (body.isEmpty() ? call : call.json(body)).send();
        assertThat(answer.header("Vary").orElse("")).contains("Origin");
        return isReadable(answer, origin);
    }

    /** The page of another workspace would read the token by sending the same once more. */
    @Test
    void noRepetitionTellsAPageWhatItMayNotRead() {
        put(workspace("there"), CMS + "/origins", "{\"origins\": [\"https://there.example\"]}");
        Caller here = workspace("here");
        put(here, CMS + "/origins", "{\"origins\": [\"https://here.example\"]}");

        String[][] posts = {
            {"/init", "{\"workspace\": \"here\"}"},
            {"/satisfaction", "{\"rating\": 4, \"workspace\": \"here\"}"},
            {"/coupon/apply", "{\"code\": \"none\", \"workspace\": \"here\"}"},
        };
        for (String[] post : posts) {
            String key = UUID.randomUUID().toString();
            for (int i = 0; i < 2; i++) {
                Answer told = from("https://there.example", key, post[0], post[1]);
                assertThat(isReadable(told, "https://there.example")
                                && !told.text().isEmpty())
                        .as(post[0])
                        .isFalse();
            }
        }
        assertThat(here.get(CMS + "/ratings").json().path("total").asInt())
                .as("nothing is done twice")
                .isEqualTo(1);

        String key = UUID.randomUUID().toString();
        Answer first = from("https://here.example", key, "/init", posts[0][1]);
        Answer again = from("https://here.example", key, "/init", posts[0][1]);
        assertThat(isReadable(again, "https://here.example")).isTrue();
        assertThat(again.text()).isEqualTo(first.text());
        Answer theirs = from("https://there.example", key, "/init", posts[0][1]);
        assertThat(isReadable(theirs, "https://there.example")).isFalse();
    }

    private Answer from(String origin, String key, String path, String body) {
        return nobody.call("POST", WIDGET + path)
                .header("Origin", origin)
                .header("Idempotency-Key", key)
                .json(body)
                .send();
    }

    private static boolean isReadable(Answer answer, String origin) {
        return answer.header("Access-Control-Allow-Origin")
                .filter(origin::equals)
                .isPresent();
    }

    // Repeated requests

    @Test
    void aRepeatedRequestIsServedOnceAndAnsweredTheSame() {
        Caller visitor = init("{}").caller();
        String[][] posts = {
            {WIDGET + "/messages", "{\"text\": \"hello\"}"},
            {WIDGET + "/events", "{\"name\": \"opened\"}"},
            {WIDGET + "/leads", "{\"email\": \"ann@example.org\"}"},
            {WIDGET + "/satisfaction", "{\"rating\": 3}"},
            {WIDGET + "/typing", "{}"},
            {WIDGET + "/conversation/close", ""},
            {WIDGET + "/conversation/reopen", ""},
            {WIDGET + "/init", "{\"visitor\": \"v\"}"},
        };
        for (String[] post : posts) {
            assertRepeats(visitor, post[0], post[1]);
        }
        assertThat(visitor.get(WIDGET + "/conversation/messages")
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(2);
        assertRepeats(nobody, WIDGET + "/init", "{\"visitor\": \"v\"}");
        assertRepeats(nobody, WIDGET + "/satisfaction", "{\"rating\": 3}");
        Caller owner = workspace("repeating");
        assertRepeats(owner, DOCUMENTS, "{\"documents\": [{\"id\": 1, \"title\": \"x\"}]}");
        assertRepeats(owner, CMS + "/sync", "{\"documents\": [{\"id\": 2, \"title\": \"x\"}]}");
        for (String overlap : List.of("", "{\"overlap_seconds\": 60}")) {
            String rotated = assertRepeats(owner, CMS + "/tokens/rotate", overlap);
            owner = nobody.with(Json.read(rotated).path("token").asString());
            assertThat(owner.get(DOCUMENTS).status()).isEqualTo(200);
        }
    }

    /** Sends a request twice and with another body; returns the answer. */
    private static String assertRepeats(Caller caller, String path, String body) {
        String key = UUID.randomUUID().toString();
        Answer first = keyed(caller, path, key, body);
        Answer again = keyed(caller, path, key, body);
        assertThat(first.status()).as(path + first.text()).isBetween(200, 299);
        assertThat(first.header("Idempotency-Replayed")).as(path).isEmpty();
        assertThat(again.status()).as(path + again.text()).isEqualTo(first.status());
        assertThat(again.text()).as(path).isEqualTo(first.text());
        assertThat(again.mediaType()).as(path).isEqualTo(first.mediaType());
        assertThat(again.header("Idempotency-Replayed")).as(path).contains("true");
        assertInvalid(
                keyed(caller, path, key, body.isEmpty() ? "{}" : body + " "),
                "Idempotency-Key",
                "was sent with another request");
        assertInvalid(keyed(caller, path + "?x", key, body), "Idempotency-Key", "was sent with another request");
        assertThat(keyed(caller, path, key, body).status()).isEqualTo(first.status());
        return first.text();
    }

    @Test
    void aKeyIsItsCallersOwn() {
        String key = UUID.randomUUID().toString();
        Caller ann = init("{}").caller();
        Caller ben = init("{}").caller();
        Answer first = keyed(ann, WIDGET + "/messages", key, "{\"text\": \"same\"}");
        Answer second = keyed(ben, WIDGET + "/messages", key, "{\"text\": \"same\"}");
        assertThat(second.header("Idempotency-Replayed")).isEmpty();
        assertThat(second.json().path("message").path("id"))
                .isNotEqualTo(first.json().path("message").path("id"));
        assertThat(keyed(ben, WIDGET + "/messages", key, "{\"text\": \"other\"}")
                        .status())
                .isEqualTo(422);

        String document = "{\"documents\": [{\"id\": \"" + key + "\", \"title\": \"x\"}]}";
        assertThat(keyed(site, DOCUMENTS, key, document).json().path("created").asInt())
                .isEqualTo(1);
        assertThat(keyed(other, DOCUMENTS, key, document).json().path("created").asInt())
                .isEqualTo(1);
    }

    @Test
    void whatWasRefusedDidNothingAndMayBeSentAgain() {
        Caller visitor = init("{}").caller();
        String key = UUID.randomUUID().toString();
        assertThat(keyed(visitor, WIDGET + "/messages", key, "{}").status()).isEqualTo(422);
        assertThat(keyed(nobody.with("x"), WIDGET + "/messages", key, "{}").status())
                .isEqualTo(401);
        assertThat(keyed(visitor, WIDGET + "/messages", key, "{\"text\": \"" + "x".repeat(70_000) + "\"}")
                        .status())
                .isEqualTo(413);
        assertThat(keyed(visitor, WIDGET + "/nothing", key, "{}").status()).isEqualTo(404);
        assertThat(keyed(visitor, WIDGET + "/messages", key, "{\"text\": \"now\"}")
                        .status())
                .isEqualTo(201);

        for (String bad : List.of("", " ", "a b", "x".repeat(256))) {
            assertInvalid(
                    keyed(visitor, WIDGET + "/messages", bad, "{\"text\": \"now\"}"),
                    "Idempotency-Key",
                    "must be 1 to 255 visible ASCII characters, once");
        }
        assertInvalid(
                RawConnection.once(
                        server.base(),
                        "POST " + WIDGET + "/typing HTTP/1.1",
                        "{}",
                        "Idempotency-Key: a",
                        "Idempotency-Key: b"),
                "Idempotency-Key",
                "must be 1 to 255 visible ASCII characters, once");
        assertThat(visitor.call("GET", WIDGET + "/conversation")
                        .header("Idempotency-Key", key)
                        .send()
                        .status())
                .as("only a POST has a key")
                .isEqualTo(200);
    }

    @Test
    void ofTwinsThatComeAtOnceOneIsServed() throws Exception {
        Caller visitor = init("{}").caller();
        String key = UUID.randomUUID().toString();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        List<Answer> answers = new ArrayList<>();
        try {
            Callable<Answer> twin = () -> keyed(visitor, WIDGET + "/messages", key, "{\"text\": \"twin\"}");
            for (Future<Answer> answer : pool.invokeAll(Collections.nCopies(8, twin))) {
                answers.add(answer.get());
            }
        } finally {
            pool.shutdownNow();
        }
        Set<String> served = new HashSet<>();
        for (Answer answer : answers) {
            if (answer.status() == 201) {
                served.add(answer.text());
            } else {
                assertError(answer, 409, "request_in_progress");
            }
        }
        assertThat(served).hasSize(1);
        assertThat(visitor.get(WIDGET + "/conversation/messages")
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void keptAnswersCannotBeReadInTheDatabaseAndGoWithTheVisitor() {
        Started visitor = init("{\"workspace\": \"first\"}");
        JdbcClient jdbc = server.context().getBean(JdbcClient.class);
        String count = "select count(*) from repeated_request";
        long before = jdbc.sql(count).query(Long.class).single();
        keyed(visitor.caller(), WIDGET + "/messages", UUID.randomUUID().toString(), "{\"text\": \"plain words\"}");
        assertThat(jdbc.sql(count).query(Long.class).single()).isEqualTo(before + 1);
        byte[] stored = jdbc.sql("select body from repeated_request where body is not null order by started_at desc"
                        + " fetch first 1 rows only")
                .query(byte[].class)
                .single();
        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("plain words", "text");

        site.delete(CMS + "/conversations/" + visitor.id());
        assertThat(jdbc.sql(count).query(Long.class).single()).isEqualTo(before);
    }

    // Events

    @Test
    void anAnswerIsReadAsEventsWhereThatIsAccepted() {
        site.post(
                DOCUMENTS,
                "{\"documents\": [{\"id\": \"quagga\", \"title\": \"Quagga\", \"content\": \"Quaggas rest.\"}]}");
        Caller visitor = init("{\"workspace\": \"first\"}").caller();
        for (String accept :
                List.of("text/event-stream", "text/event-stream, application/json", "text/event-stream, */*")) {
            Answer answer = visitor.call("POST", WIDGET + "/messages")
                    .header("Accept", accept)
                    .json("{\"text\": \"quagga\\nline\"}")
                    .send();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.mediaType()).isEqualTo("text/event-stream");
            assertThat(answer.header("Cache-Control")).contains("no-store");
            String[] events = answer.text().split("\n\n");
            assertThat(events).hasSize(3);
            assertThat(data(events[0], "message").path("text").asString()).isEqualTo("quagga\nline");
            assertThat(data(events[1], "piece").path("text").asString()).isEqualTo("Quaggas rest.");
            assertThat(data(events[2], "answer")
                            .path("sources")
                            .get(0)
                            .path("document_id")
                            .asString())
                    .isEqualTo("quagga");
            JsonNode stored = visitor.get(WIDGET + "/conversation").json().path("messages");
            assertThat(stored).contains(data(events[0], "message"), data(events[2], "answer"));
        }
        for (String accept : List.of(
                "*/*", "application/json", "application/json, text/event-stream;q=0.5", "text/event-stream;q=0, */*")) {
            assertThat(visitor.call("POST", WIDGET + "/messages")
                            .header("Accept", accept)
                            .json("{\"text\": \"x\"}")
                            .send()
                            .status())
                    .as(accept)
                    .isEqualTo(201);
        }
    }

    @Test
    void whatIsRefusedBeforeTheFirstEventIsAnError() {
        Caller visitor = init("{}").caller();
        assertError(streamed(nobody, "{\"text\": \"x\"}"), 401, "unauthorized");
        assertInvalid(streamed(visitor, "{}"), "text", "is required");
        visitor.post(WIDGET + "/conversation/close");
        assertError(streamed(visitor, "{\"text\": \"x\"}"), 409, "conversation_closed");
    }

    @Test
    void streamedAnswersAreRepeatedToo() {
        Caller visitor = init("{}").caller();
        String key = UUID.randomUUID().toString();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Answer answer = visitor.call("POST", WIDGET + "/messages")
                    .header("Accept", "text/event-stream")
                    .header("Idempotency-Key", key)
                    .json("{\"text\": \"once\"}")
                    .send();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.mediaType()).isEqualTo("text/event-stream");
            bodies.add(answer.text());
        }
        assertThat(bodies.get(1)).isEqualTo(bodies.get(0)).contains("event: answer");
        assertThat(visitor.get(WIDGET + "/conversation/messages")
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(2);
    }

    private static Answer streamed(Caller caller, String body) {
        return caller.call("POST", WIDGET + "/messages")
                .header("Accept", "text/event-stream")
                .json(body)
                .send();
    }

    private static JsonNode data(String event, String name) {
        assertThat(event).startsWith("event: " + name + "\ndata: ");
        return Json.read(event.substring(event.indexOf("data: ") + 6));
    }

    // Export

    @Test
    void aWorkspaceIsExportedWholeAndAlone() {
        Caller owner = workspace("exported");
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < 1001; i++) {
            documents.add("{\"id\": " + i + ", \"title\": \"Number " + i + "\"}");
        }
        owner.post(CMS + "/sync", "{\"documents\": " + documents + "}");
        put(owner, CMS + "/origins", "{\"origins\": [\"https://exported.example\"]}");
        put(
                owner,
                CMS + "/coupons/E1",
                "{\"description\": \"x\", \"discount\": {\"type\": \"percent\", \"value\": 2}}");
        Set<JsonNode> left = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            Started visitor = init("{\"workspace\": \"exported\"}");
            JsonNode exchange = say(visitor.caller(), "hello " + i).json();
            left.add(visitor.caller()
                    .post(WIDGET + "/leads", "{\"email\": \"a@example.org\"}")
                    .json());
            left.add(visitor.caller()
                    .post(WIDGET + "/events", "{\"name\": \"e\"}")
                    .json());
            left.add(visitor.caller()
                    .post(WIDGET + "/satisfaction", "{\"rating\": 1}")
                    .json());
            left.add(visitor.caller()
                    .post(WIDGET + "/coupon/apply", "{\"code\": \"E1\"}")
                    .json());
            left.add(visitor.caller()
                    .post(WIDGET + "/messages/"
                            + exchange.path("answer").path("id").asString() + "/feedback")
                    .json());
        }

        Answer answer = owner.get(CMS + "/export");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.mediaType()).isEqualTo("application/x-ndjson");
        List<JsonNode> lines = answer.text().lines().map(Json::read).toList();
        assertThat(lines.get(lines.size() - 1))
                .isEqualTo(Json.read("{\"type\": \"end\", \"data\": {\"lines\": " + (lines.size() - 1) + "}}"));
        assertThat(lines.stream().map(line -> line.path("data"))).containsAll(left);
        assertThat(lines.stream().filter(line -> line.path("type").asString().equals("document")))
                .hasSize(1001);
        assertThat(lines.stream().filter(line -> line.path("type").asString().equals("message")))
                .hasSize(6);
        assertThat(lines.stream().filter(line -> line.path("type").asString().equals("conversation")))
                .hasSize(3);
        assertThat(lines).hasSize(1001 + 1 + 1 + 6 + 3 + left.size() + 1);
        assertThat(lines).doesNotHaveDuplicates();
        assertThat(site.get(CMS + "/export").text()).doesNotContain("hello 1", "exported.example");
        assertError(nobody.get(CMS + "/export"), 401, "unauthorized");
    }

    private Caller workspace(String id) {
        return nobody.with(server.context().getBean(Workspaces.class).issueToken(id));
    }

    private record Started(Caller caller, String id) {}

    private Started init(String body) {
        JsonNode started = nobody.post(WIDGET + "/init", body).json();
        return new Started(
                nobody.with(started.path("token").asString()),
                started.path("conversation_id").asString());
    }

    private static Answer say(Caller visitor, String text) {
        Answer answer = visitor.post(WIDGET + "/messages", "{\"text\": \"" + text + "\"}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static Answer keyed(Caller caller, String path, String key, String body) {
        SiteClient.Call call = caller.call("POST", path).header("Idempotency-Key", key);
        return (body.isBlank() ? call : call.json(body)).send();
    }

    private static Answer put(Caller caller, String path, String body) {
        return caller.call("PUT", path).json(body).send();
    }

    private static List<String> ids(Caller caller, String query) {
        Answer answer = caller.get(DOCUMENTS + query);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        List<String> ids = new ArrayList<>();
        answer.json()
                .path("items")
                .forEach(document -> ids.add(document.path("id").asString()));
        return ids;
    }

    private long rows(String table) {
        return server.context()
                .getBean(JdbcClient.class)
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    private long rowsWith(String table, String column, String value) {
        return server.context()
                .getBean(JdbcClient.class)
                .sql("select count(*) from " + table + " where " + column + " = :value")
                .param("value", value)
                .query(Long.class)
                .single();
    }

    private static void assertInvalid(Answer answer, String field, String problem) {
        assertError(answer, 422, "invalid_request");
        JsonNode fields = answer.json().path("error").path("fields");
        assertThat(fields.path(field).asString("")).as(answer.text()).isEqualTo(problem);
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/json");
        assertThat(answer.json().path("error").path("code").asString()).isEqualTo(code);
        assertThat(answer.json().path("error").path("message").asString()).isNotEmpty();
    }
}

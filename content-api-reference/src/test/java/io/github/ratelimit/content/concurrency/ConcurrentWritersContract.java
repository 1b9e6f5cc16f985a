package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writers that meet do not lose to each other; extended for each database. */
@ExtendWith(SeededServer.Provider.class)
abstract class ConcurrentWritersContract {

    private static final int CREATORS = 40;
    private static final int DELETERS = 12;
    private static final int ROUNDS = Boolean.getBoolean("full") ? 1_000 : 4;

    private final Account admin = Accounts.standard().get("admin");

    @Test
    void fortyCreatorsOfOneSlugGetFortySlugs(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Contested\", \"status\": \"publish\", \"slug\": \"contested\"}");

        List<Answer> answers = together(Collections.nCopies(
                CREATORS,
                () -> site.call("POST", "/cms/v2/posts").as(admin).json(fields).send()));

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(201));
        assertThat(answers)
                .extracting(answer -> answer.json().path("slug").asString())
                .doesNotHaveDuplicates()
                .allMatch(slug -> slug.matches("contested(-\\d+)?"));
        answers.forEach(answer -> delete(site, id(answer)));
    }

    @Test
    void writersOfDifferentFieldsLoseNone(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        String tag = String.valueOf(server.content().id("tags.red"));
        String category = String.valueOf(server.content().id("categories.events"));
        String picture = String.valueOf(server.content().id("media.photo"));
        List<Change> changes = List.of(
                new Change("title", "'Changed'", "/title/raw"),
                new Change("content", "'Changed content'", "/content/raw"),
                new Change("excerpt", "'Changed excerpt'", "/excerpt/raw"),
                new Change("slug", "'changed-slug'", "/slug"),
                new Change("date", "'2024-05-05T05:05:05'", "/date"),
                new Change("comment_status", "'closed'", "/comment_status"),
                new Change("ping_status", "'closed'", "/ping_status"),
                new Change("sticky", "true", "/sticky"),
                new Change("format", "'quote'", "/format"),
                new Change("meta", "{'footnotes': 'Changed'}", "/meta"),
                new Change("categories", "[" + category + "]", "/categories"),
                new Change("tags", "[" + tag + "]", "/tags"),
                new Change("featured_media", picture, "/featured_media"));

        for (int round = 0; round < ROUNDS; round++) {
            JsonNode fields = Json.read("{\"title\": \"Before\", \"status\": \"publish\"}");
            long id =
                    id(site.call("POST", "/cms/v2/posts").as(admin).json(fields).send());
            List<Answer> answers = together(changes.stream()
                    .<Callable<Answer>>map(change -> () -> change.send(site, admin, id))
                    .toList());
            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.text()).isEqualTo(200));

            JsonNode after = site.call("GET", "/cms/v2/posts/" + id, Query.of("context", "edit"))
                    .as(admin)
                    .send()
                    .json();
            assertThat(changes)
                    .allSatisfy(change -> assertThat(after.at(change.found()))
                            .as(change.field())
                            .isEqualTo(change.json()));
            delete(site, id);
        }
    }

    @Test
    void writersOfDifferentFieldsOfAnAccountLoseNone(SeededServer server) throws InterruptedException {
        loseNone(
                server.site(),
                "/cms/v2/users",
                "{'username': 'contested', 'email': 'contested@example.org', 'password': 'a password of a test'}",
                List.of(
                        new Change("first_name", "'First'", "/first_name"),
                        new Change("last_name", "'Last'", "/last_name"),
                        new Change("nickname", "'Nick'", "/nickname"),
                        new Change("name", "'Shown'", "/name"),
                        new Change("description", "'Described'", "/description"),
                        new Change("url", "'https://contested.example'", "/url"),
                        new Change("slug", "'contested-slug'", "/slug"),
                        new Change("roles", "['author']", "/roles")));
    }

    @Test
    void writersOfDifferentFieldsOfATermLoseNone(SeededServer server) throws InterruptedException {
        String above = String.valueOf(server.content().id("categories.events"));
        loseNone(
                server.site(),
                "/cms/v2/categories",
                "{'name': 'Contested'}",
                List.of(
                        new Change("name", "'Changed'", "/name"),
                        new Change("slug", "'changed-term'", "/slug"),
                        new Change("description", "'Described'", "/description"),
                        new Change("parent", above, "/parent")));
    }

    /** Of three that are moved at once, each below the next one, one stays where it was. */
    @Test
    void nothingStandsBelowItself(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        for (String route : List.of("/cms/v2/pages/", "/cms/v2/categories/")) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Long> ids = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    String name = "Moved " + round + " " + i;
                    JsonNode fields = Json.read("{\"name\": \"" + name + "\", \"title\": \"" + name + "\"}");
                    ids.add(id(site.call("POST", route).as(admin).json(fields).send()));
                }
                List<Callable<Answer>> moves = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    String address = route + ids.get(i);
                    JsonNode below = Json.read("{\"parent\": " + ids.get((i + 1) % 3) + "}");
                    moves.add(() ->
                            site.call("POST", address).as(admin).json(below).send());
                }

                assertThat(together(moves))
                        .allSatisfy(answer ->
                                assertThat(answer.status()).as(answer.text()).isEqualTo(200));
                assertThat(ids)
                        .extracting(id -> site.call("GET", route + id)
                                .as(admin)
                                .send()
                                .json()
                                .path("parent")
                                .longValue())
                        .containsOnlyOnce(0L);
                ids.forEach(id -> site.call("DELETE", route + id, Query.of("force", "true"))
                        .as(admin)
                        .send());
            }
        }
    }

    private void loseNone(SiteClient site, String route, String fields, List<Change> changes)
            throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Answer created = site.call("POST", route)
                    .as(admin)
                    .json(Json.read(fields.replace('\'', '"')))
                    .send();
            assertThat(created.status()).as(created.text()).isEqualTo(201);
            String item = route + "/" + id(created);
            List<Answer> answers = together(changes.stream()
                    .<Callable<Answer>>map(change -> () -> site.call("PUT", item)
                            .as(admin)
                            .json(JsonNodeFactory.instance.objectNode().set(change.field(), change.json()))
                            .send())
                    .toList());
            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.text()).isEqualTo(200));

            JsonNode after = site.call("GET", item, Query.of("context", "edit"))
                    .as(admin)
                    .send()
                    .json();
            assertThat(changes)
                    .allSatisfy(change -> assertThat(after.at(change.found()))
                            .as(change.field())
                            .isEqualTo(change.json()));
            Answer deleted = site.call("DELETE", item, Query.of("force", "true", "reassign", "false"))
                    .as(admin)
                    .send();
            assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
        }
    }

    @Test
    void whoNamesTheVersionThatWasReadOverwritesNoOther(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Read by many\", \"status\": \"publish\"}");
        String item = "/cms/v2/posts/"
                + id(site.call("POST", "/cms/v2/posts").as(admin).json(fields).send());
        Answer read = site.call("GET", item).send();
        String tag = read.header("ETag").orElseThrow();

        List<Answer> answers = together(Collections.nCopies(
                DELETERS,
                () -> site.call("POST", item)
                        .as(admin)
                        .header("If-Match", tag)
                        .json(Json.read("{\"content\": \"Mine\"}"))
                        .send()));

        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnly(200, 412);
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 412)
                .extracting(answer -> answer.json().path("code").asString())
                .containsOnly("rest_precondition_failed");
        String next = answers.stream()
                .filter(answer -> answer.status() == 200)
                .findFirst()
                .flatMap(answer -> answer.header("ETag"))
                .orElseThrow();
        assertThat(status(site, "POST", item, "W/" + next)).isEqualTo(412);
        assertThat(status(site, "POST", item, "\"0-other\", " + next)).isEqualTo(200);
        assertThat(status(site, "DELETE", item, tag)).isEqualTo(412);
        assertThat(status(site, "DELETE", item, "*")).isEqualTo(200);
    }

    private int status(SiteClient site, String method, String item, String expected) {
        return site.call(method, item, Query.of("force", "true"))
                .as(admin)
                .header("If-Match", expected)
                .send()
                .status();
    }

    /** What else than an item is written by several: where it is, what makes one and what changes one. */
    static Stream<Arguments> namedVersions() {
        return Stream.of(
                Arguments.of("/cms/v2/categories", "id", "{'name': 'Kept by many'}", "{'description': 'Mine'}"),
                Arguments.of("/cms/v2/tags", "id", "{'name': 'Tied by many'}", "{'description': 'Mine'}"),
                Arguments.of(
                        "/cms/v2/users",
                        "id",
                        "{'username': 'many', 'email': 'many@example.test', 'password': 'many-of-them'}",
                        "{'description': 'Mine'}"),
                Arguments.of(
                        "/cms/v2/users/me/application-passwords",
                        "uuid",
                        "{'name': 'Used by many'}",
                        "{'name': 'Mine'}"));
    }

    @ParameterizedTest
    @MethodSource("namedVersions")
    void ofTermsAndAccountsToo(String collection, String key, String fields, String change, SeededServer server)
            throws InterruptedException {
        SiteClient site = server.site();
        Answer made = site.call("POST", collection)
                .as(admin)
                .json(Json.read(fields.replace('\'', '"')))
                .send();
        String item = collection + "/" + made.json().path(key).asString();
        Answer read = site.call("GET", item).as(admin).send();
        String tag = read.header("ETag").orElseThrow();
        assertThat(version(made)).isEqualTo(version(read));
        assertThat(site.call("GET", item)
                        .as(admin)
                        .header("If-None-Match", tag)
                        .send()
                        .status())
                .isEqualTo(304);

        List<Answer> answers = together(Collections.nCopies(
                DELETERS,
                () -> site.call("POST", item)
                        .as(admin)
                        .header("If-Match", tag)
                        .json(Json.read(change.replace('\'', '"')))
                        .send()));

        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnly(200, 412);
        Answer written = answers.stream()
                .filter(answer -> answer.status() == 200)
                .findFirst()
                .orElseThrow();
        String next = written.header("ETag").orElseThrow();
        assertThat(version(site.call("GET", item).as(admin).send())).isEqualTo(version(written));
        assertThat(site.call("GET", item)
                        .as(admin)
                        .header("If-None-Match", tag)
                        .send()
                        .status())
                .isEqualTo(200);
        JsonNode mine = Json.read(change.replace('\'', '"'));
        for (String method : List.of("PUT", "PATCH")) {
            assertThat(site.call("POST", item)
                            .as(admin)
                            .header("X-HTTP-Method-Override", method)
                            .header("If-Match", tag)
                            .json(mine)
                            .send()
                            .json()
                            .path("code")
                            .asString())
                    .isEqualTo("rest_precondition_failed");
        }
        assertThat(written(site, item, "W/" + next, mine).status()).isEqualTo(412);
        Answer listed = written(site, item, "\"0-other\", " + next, mine);
        assertThat(listed.status()).isEqualTo(200);
        assertThat(written(site, item, "*", mine).status()).isEqualTo(200);
        assertThat(deleted(site, item, next).status()).isEqualTo(412);
        assertThat(site.call("GET", item).as(admin).send().status()).isEqualTo(200);

        List<Answer> ends = together(Collections.nCopies(
                DELETERS,
                () -> deleted(
                        site,
                        item,
                        site.call("GET", item).as(admin).send().header("ETag").orElse("*"))));
        assertThat(ends.stream().map(Answer::status)).containsOnlyOnce(200).isSubsetOf(200, 404, 412);
    }

    @Test
    void whatIsShownOfATermOrIsNotItsOwnersWishIsNoVersion(SeededServer server) {
        SiteClient site = server.site();
        Answer made = site.call("POST", "/cms/v2/tags")
                .as(admin)
                .json(Json.read("{\"name\": \"Counted\"}"))
                .send();
        String tag = "/cms/v2/tags/" + id(made);
        String shown = site.call("GET", tag).send().header("ETag").orElseThrow();
        long post = id(site.call("POST", "/cms/v2/posts")
                .as(admin)
                .json(Json.read("{\"title\": \"Counts\", \"status\": \"publish\", \"tags\": [" + id(made) + "]}"))
                .send());
        assertThat(site.call("GET", tag)
                        .header("If-None-Match", shown)
                        .send()
                        .json()
                        .path("count")
                        .asInt())
                .as("another count is another answer")
                .isEqualTo(1);
        assertThat(written(site, tag, shown, Json.read("{\"description\": \"Counted\"}"))
                        .status())
                .as("and the same version")
                .isEqualTo(200);
        delete(site, post);
        deleted(site, tag, "*");

        String passwords = "/cms/v2/users/me/application-passwords";
        Answer issued = site.call("POST", passwords)
                .as(admin)
                .json(Json.read("{\"name\": \"Used\"}"))
                .send();
        String password = passwords + "/" + issued.json().path("uuid").asString();
        String unused =
                site.call("GET", password).as(admin).send().header("ETag").orElseThrow();
        Account user = new Account(
                admin.name(),
                admin.role(),
                admin.login(),
                admin.email(),
                admin.displayName(),
                issued.json().path("password").asString());
        assertThat(site.call("GET", password).as(user).send().status()).isEqualTo(200);
        assertThat(written(site, password, unused, Json.read("{\"name\": \"Named\"}"))
                        .status())
                .isEqualTo(200);
        deleted(site, password, "*");
    }

    @Test
    void aPasswordIsAChangeOfItsAccount(SeededServer server) {
        SiteClient site = server.site();
        Answer made = site.call("POST", "/cms/v2/users")
                .as(admin)
                .json(
                        Json.read(
                                "{\"username\": \"keyed\", \"email\": \"keyed@example.test\", \"password\": \"the first one\"}"))
                .send();
        String account = "/cms/v2/users/" + id(made);
        String tag = made.header("ETag").orElseThrow();
        JsonNode password = Json.read("{\"password\": \"the second one\"}");

        assertThat(written(site, account, tag, password).status()).isEqualTo(200);
        assertThat(written(site, account, tag, password).status()).isEqualTo(412);
        assertThat(written(site, "/cms/v2/users/me", "\"none\"", password).status())
                .isEqualTo(412);
        assertThat(deleted(site, account, "*").status()).isEqualTo(200);
    }

    private Answer written(SiteClient site, String item, String expected, JsonNode fields) {
        return site.call("PUT", item)
                .as(admin)
                .header("If-Match", expected)
                .json(fields)
                .send();
    }

    private Answer deleted(SiteClient site, String item, String expected) {
        return site.call("DELETE", item, Query.of("force", "true", "reassign", "false"))
                .as(admin)
                .header("If-Match", expected)
                .send();
    }

    /** As the tag of an answer says it. */
    private static String version(Answer answer) {
        String tag = answer.header("ETag").orElseThrow();
        return tag.substring(0, tag.indexOf('-'));
    }

    @Test
    void whoHasTheAnswerIsNotSentItAgain(SeededServer server) {
        SiteClient site = server.site();
        String item = "/cms/v2/posts/" + server.content().id("posts.alpha");
        Answer read = site.call("GET", item).send();
        String tag = read.header("ETag").orElseThrow();

        Answer known = site.call("GET", item)
                .header("If-None-Match", "\"x\", W/" + tag)
                .send();
        Answer other = site.call("GET", item, Query.of("context", "embed"))
                .header("If-None-Match", tag)
                .send();

        assertThat(known.status()).isEqualTo(304);
        assertThat(known.text()).isEmpty();
        assertThat(known.header("ETag")).contains(tag);
        assertThat(other.status()).as("the same version in another form").isEqualTo(200);
        assertThat(site.call("HEAD", item).send().header("ETag")).contains(tag);
    }

    @Test
    void oneOfManyDeletersDeletes(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Wanted by many\", \"status\": \"publish\"}");
        long id = id(site.call("POST", "/cms/v2/posts").as(admin).json(fields).send());

        assertThat(statuses(site, id, "false")).containsOnlyOnce(200).containsOnly(200, 410);
        assertThat(statuses(site, id, "true")).containsOnlyOnce(200).containsOnly(200, 404);
    }

    private List<Integer> statuses(SiteClient site, long id, String force) throws InterruptedException {
        List<Answer> answers = together(Collections.nCopies(
                DELETERS,
                () -> site.call("DELETE", "/cms/v2/posts/" + id, Query.of("force", force))
                        .as(admin)
                        .send()));
        return answers.stream().map(Answer::status).toList();
    }

    /** Lets all begin at one moment. */
    private static List<Answer> together(List<Callable<Answer>> requests) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(requests.size());
        try {
            CountDownLatch ready = new CountDownLatch(requests.size());
            List<Future<Answer>> running = new ArrayList<>();
            for (Callable<Answer> request : requests) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return request.call();
                }));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : running) {
                answers.add(answer.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private void delete(SiteClient site, long id) {
        site.call("DELETE", "/cms/v2/posts/" + id, Query.of("force", "true"))
                .as(admin)
                .send();
    }

    private static long id(Answer answer) {
        return answer.json().path("id").longValue();
    }

    /**
     * A change of one field.
     *
     * @param field its name
     * @param value what is written, as JSON with single quotation marks
     * @param found where the answer has it
     */
    private record Change(String field, String value, String found) {

        JsonNode json() {
            return Json.read(value.replace('\'', '"'));
        }

        Answer send(SiteClient site, Account account, long id) {
            return site.call("PUT", "/cms/v2/posts/" + id)
                    .as(account)
                    .json(JsonNodeFactory.instance.objectNode().set(field, json()))
                    .send();
        }
    }
}

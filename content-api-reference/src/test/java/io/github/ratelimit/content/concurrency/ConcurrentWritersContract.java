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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

        loseNone(site, "/cms/v2/posts", "{'title': 'Before', 'status': 'publish'}", changes);
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
    void oneOfManyDeletersDeletes(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Wanted by many\", \"status\": \"publish\"}");
        long id = id(site.call("POST", "/cms/v2/posts").as(admin).json(fields).send());

        assertThat(statuses(site, id, "false")).containsOnlyOnce(200).containsOnly(200, 410);
        assertThat(statuses(site, id, "true")).containsOnlyOnce(200).containsOnly(200, 404);
    }

    /** Eight connections change and delete a post that waits for review, while an editor publishes it. */
    @Test
    void contributorChangesAndDeletesNothingThatWasPublishedMeanwhile(SeededServer server) throws InterruptedException {
        SiteClient site = server.site();
        Account contributor = Accounts.standard().get("contributor");
        Account editor = Accounts.standard().get("editor");
        String pending = "{'title': 'For review', 'content': 'Reviewed', 'status': 'pending'}".replace('\'', '"');
        JsonNode smuggled = Json.read("{\"content\": \"Smuggled" + " in".repeat(5_000) + "\"}");
        JsonNode reviewed = Json.read("{\"content\": \"Reviewed\", \"status\": \"publish\"}");
        for (int round = 0; round < 5 * ROUNDS; round++) {
            String post = "/cms/v2/posts/"
                    + id(site.call("POST", "/cms/v2/posts")
                            .as(contributor)
                            .json(Json.read(pending))
                            .send());
            Callable<Answer> publish =
                    () -> site.call("POST", post).as(editor).json(reviewed).send();
            Callable<Answer> update =
                    () -> site.call("POST", post).as(contributor).json(smuggled).send();
            Callable<Answer> delete = () -> site.call("DELETE", post, Query.of("force", "true"))
                    .as(contributor)
                    .send();

            boolean deletes = round % 2 == 1;
            List<Callable<Answer>> requests = new ArrayList<>(Collections.nCopies(deletes ? 4 : 8, update));
            requests.add(deletes ? 2 : 4, publish);
            requests.addAll(Collections.nCopies(deletes ? 4 : 0, delete));
            List<Answer> answers = together(requests);

            Answer published = answers.get(deletes ? 2 : 4);
            assertThat(published.status()).as(published.text()).isIn(deletes ? List.of(200, 404) : List.of(200));
            if (published.status() == 200) {
                Answer shown = site.call("GET", post).send();
                assertThat(shown.status()).as(shown.text()).isEqualTo(200);
                assertThat(shown.json().at("/content/rendered").asString()).doesNotContain("Smuggled");
                assertThat(site.call("DELETE", post, Query.of("force", "true"))
                                .as(editor)
                                .send()
                                .status())
                        .isEqualTo(200);
            }
        }
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
    }
}

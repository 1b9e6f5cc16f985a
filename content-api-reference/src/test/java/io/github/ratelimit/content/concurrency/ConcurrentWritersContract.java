package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writers that meet do not lose to each other; extended for each database. */
abstract class ConcurrentWritersContract {

    private static final int CREATORS = 40;
    private static final int DELETERS = 12;
    private static final int ROUNDS = Boolean.getBoolean("full") ? 200 : 4;

    @Test
    void fortyCreatorsOfOneSlugGetFortySlugs(SeededServer server) {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Contested\", \"status\": \"publish\", \"slug\": \"contested\"}");

        List<Answer> answers =
                AtOnce.run(Collections.nCopies(CREATORS, () -> site.as("admin").post("/cms/v2/posts", fields)));

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(201));
        assertThat(answers)
                .extracting(answer -> answer.text("/slug"))
                .doesNotHaveDuplicates()
                .allMatch(slug -> slug.matches("contested(-\\d+)?"));
    }

    @Test
    void writersOfDifferentFieldsLoseNone(SeededServer server) {
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
    void writersOfDifferentFieldsOfATermLoseNone(SeededServer server) {
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
    @ParameterizedTest
    @ValueSource(strings = {"/cms/v2/pages/", "/cms/v2/categories/"})
    void nothingStandsBelowItself(String route, SeededServer server) {
        SiteClient admin = server.site().as("admin");
        for (int round = 0; round < ROUNDS; round++) {
            String name = "Moved " + round + " ";
            List<Long> ids = LongStream.range(0, 3)
                    .mapToObj(i -> admin.post(route, "{\"name\": \"#\", \"title\": \"#\"}".replace("#", name + i))
                            .id())
                    .toList();

            List<Answer> moved =
                    AtOnce.run(3, i -> admin.post(route + ids.get(i), "{\"parent\": " + ids.get((i + 1) % 3) + "}"));

            assertThat(moved)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.text()).isEqualTo(200));
            assertThat(ids)
                    .extracting(id -> admin.get(route + id).number("/parent"))
                    .containsOnlyOnce(0L);
        }
    }

    private void loseNone(SiteClient site, String route, String fields, List<Change> changes) {
        for (int round = 0; round < ROUNDS; round++) {
            Answer created = site.as("admin").post(route, Json.read(fields.replace('\'', '"')));
            assertThat(created.status()).as(created.text()).isEqualTo(201);
            String item = route + "/" + created.id();
            List<Answer> answers = AtOnce.run(changes.stream()
                    .<Callable<Answer>>map(change -> () -> site.as("admin")
                            .call("PUT", item)
                            .json(JsonNodeFactory.instance.objectNode().set(change.field(), change.json()))
                            .send())
                    .toList());
            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.text()).isEqualTo(200));

            JsonNode after = site.as("admin").get(item + "?context=edit").json();
            assertThat(changes)
                    .allSatisfy(change -> assertThat(after.at(change.found()))
                            .as(change.field())
                            .isEqualTo(change.json()));
            Answer deleted = site.as("admin").delete(item + "?force=true&reassign=false");
            assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
        }
    }

    @Test
    void oneOfManyDeletersDeletes(SeededServer server) {
        SiteClient site = server.site();
        JsonNode fields = Json.read("{\"title\": \"Wanted by many\", \"status\": \"publish\"}");
        long id = site.as("admin").post("/cms/v2/posts", fields).id();

        assertThat(statuses(site, id, "false")).containsOnlyOnce(200).containsOnly(200, 410);
        assertThat(statuses(site, id, "true")).containsOnlyOnce(200).containsOnly(200, 404);
    }

    /** Eight connections change and delete a post that waits for review, while an editor publishes it. */
    @Test
    void contributorChangesAndDeletesNothingThatWasPublishedMeanwhile(SeededServer server) {
        SiteClient site = server.site();
        SiteClient contributor = site.as("contributor");
        SiteClient editor = site.as("editor");
        String pending = "{'title': 'For review', 'content': 'Reviewed', 'status': 'pending'}".replace('\'', '"');
        JsonNode smuggled = Json.read("{\"content\": \"Smuggled" + " in".repeat(5_000) + "\"}");
        JsonNode reviewed = Json.read("{\"content\": \"Reviewed\", \"status\": \"publish\"}");
        for (int round = 0; round < 5 * ROUNDS; round++) {
            String post = "/cms/v2/posts/"
                    + contributor.post("/cms/v2/posts", Json.read(pending)).id();
            Callable<Answer> publish = () -> editor.post(post, reviewed);
            Callable<Answer> update = () -> contributor.post(post, smuggled);
            Callable<Answer> delete = () -> contributor.delete(post + "?force=true");

            boolean deletes = round % 2 == 1;
            List<Callable<Answer>> requests = new ArrayList<>(Collections.nCopies(deletes ? 4 : 8, update));
            requests.add(deletes ? 2 : 4, publish);
            requests.addAll(Collections.nCopies(deletes ? 4 : 0, delete));
            List<Answer> answers = AtOnce.run(requests);

            Answer published = answers.get(deletes ? 2 : 4);
            assertThat(published.status()).as(published.text()).isIn(deletes ? List.of(200, 404) : List.of(200));
            if (published.status() == 200) {
                Answer shown = site.get(post);
                assertThat(shown.status()).as(shown.text()).isEqualTo(200);
                assertThat(shown.text("/content/rendered")).doesNotContain("Smuggled");
                assertThat(editor.delete(post + "?force=true").status()).isEqualTo(200);
            }
        }
    }

    private List<Integer> statuses(SiteClient site, long id, String force) {
        List<Answer> answers = AtOnce.run(Collections.nCopies(
                DELETERS, () -> site.as("admin").delete("/cms/v2/posts/" + id + "?force=" + force)));
        return answers.stream().map(Answer::status).toList();
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

package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.server.store.ContentGeneration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two servers of one database: what one keeps of its answers ends with what the other one writes. */
final class TwoServersTest {
    private final Account admin = Accounts.standard().get("admin");

    @Test
    void aServerForgetsWhatAnotherOneChanged() {
        try (ReferenceServer one = ReferenceServer.start(Database.POSTGRESQL);
                ReferenceServer other = ReferenceServer.start(
                        Database.H2,
                        Stream.concat(
                                        Stream.of("url", "username", "password")
                                                .map(name -> "spring.datasource." + name)
                                                .map(name -> "--" + name + "="
                                                        + one.context()
                                                                .getEnvironment()
                                                                .getRequiredProperty(name)),
                                        // The test polls by hand.
                                        Stream.of("--content-api.publish-interval=1h", "--content-api.cache.ttl=30s"))
                                .toArray(String[]::new))) {
            SiteClient writing = new SiteClient(one.base());
            SiteClient reading = new SiteClient(other.base());
            ContentGeneration generation = other.context().getBean(ContentGeneration.class);
            String tag = make(writing, "/cms/v2/tags", "{'name': 'First'}");
            String post = make(
                    writing,
                    "/cms/v2/posts",
                    "{'title': 'First', 'status': 'publish', 'tags': [" + tag.substring(tag.lastIndexOf('/') + 1)
                            + "]}");
            generation.poll();

            String before = shown(reading, post);
            assertThat(before).contains("First");
            change(writing, post, "{'title': 'Second'}");
            assertThat(shown(writing, post)).contains("Second");
            assertThat(shown(reading, post)).as("kept").isEqualTo(before);
            generation.poll();
            assertThat(shown(reading, post)).contains("Second");

            change(writing, tag, "{'name': 'Renamed'}");
            generation.poll();
            assertThat(shown(reading, post)).contains("Renamed");

            change(writing, post, "{'status': 'draft'}");
            generation.poll();
            String hidden = shown(reading, "/cms/v2/posts");
            writing.call("DELETE", post, Query.of("force", "true")).as(admin).send();
            generation.poll();
            Answer kept = reading.call("GET", "/cms/v2/posts", Query.of("_embed", "1"))
                    .send();
            assertThat(kept.text()).isEqualTo(hidden);
            assertThat(kept.header("X-Content-Cache"))
                    .as("a draft is not public")
                    .contains("hit");
        }
    }

    private String make(SiteClient site, String collection, String fields) {
        Answer made = change(site, collection, fields);
        return collection + "/" + made.json().path("id").asString();
    }

    private Answer change(SiteClient site, String target, String fields) {
        Answer answer = site.call("POST", target)
                .as(admin)
                .json(Json.read(fields.replace('\'', '"')))
                .send();
        assertThat(answer.status()).as(answer.text()).isBetween(200, 201);
        return answer;
    }

    private static String shown(SiteClient site, String target) {
        return site.call("GET", target, Query.of("_embed", "1")).send().text();
    }
}

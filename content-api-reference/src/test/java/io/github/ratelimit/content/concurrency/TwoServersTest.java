package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.item.ForeignChanges;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
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
                                        // Follows when it is told to, and keeps for longer than the test takes.
                                        Stream.of("--content-api.publish-interval=1h", "--content-api.cache.ttl=1h"))
                                .toArray(String[]::new))) {
            SiteClient writing = new SiteClient(one.base());
            SiteClient reading = new SiteClient(other.base());
            ForeignChanges foreign = other.context().getBean(ForeignChanges.class);
            String tag = make(writing, "/cms/v2/tags", "{'name': 'First'}");
            String post = make(
                    writing,
                    "/cms/v2/posts",
                    "{'title': 'First', 'status': 'publish', 'tags': [" + tag.substring(tag.lastIndexOf('/') + 1)
                            + "]}");
            String still = make(writing, "/cms/v2/posts", "{'title': 'Still', 'status': 'publish'}");
            String author = "/cms/v2/users/"
                    + writing.call("GET", post).send().json().path("author").asString();
            foreign.follow();

            String before = shown(reading, post);
            assertThat(before).contains("First");
            change(writing, post, "{'title': 'Second'}");
            assertThat(shown(reading, post)).as("kept").isEqualTo(before);
            foreign.follow();
            assertThat(shown(reading, post)).contains("Second");

            change(writing, tag, "{'name': 'Renamed'}");
            foreign.follow();
            assertThat(shown(reading, post)).contains("Renamed");

            change(writing, author, "{'name': 'Somebody else'}");
            foreign.follow();
            assertThat(shown(reading, post)).contains("Somebody else");

            change(writing, tag, "{'description': 'As well'}");
            foreign.follow();
            String list = shown(reading, "/cms/v2/tags");
            make(writing, "/cms/v2/tags", "{'name': 'Another'}");
            foreign.follow();
            assertThat(list).doesNotContain("Another");
            assertThat(shown(reading, "/cms/v2/tags")).contains("Another");

            reading.call("GET", still).send();
            writing.call("GET", still).send();
            change(writing, tag, "{'name': 'Renamed again'}");
            assertThat(writing.call("GET", still).send().header("X-Content-Cache"))
                    .as("a term that it does not have")
                    .contains("hit");
            change(writing, post, "{'title': 'Third'}");
            foreign.follow();
            assertThat(reading.call("GET", still).send().header("X-Content-Cache"))
                    .as("what shows nothing of it stays")
                    .contains("hit");

            writing.call("DELETE", post, Query.of("force", "true")).as(admin).send();
            foreign.follow();
            assertThat(reading.call("GET", post, Query.of("_embed", "1")).send().status())
                    .isEqualTo(404);
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

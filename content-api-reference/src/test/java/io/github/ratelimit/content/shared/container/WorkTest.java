package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What one request has the server do has a bound, on every surface; what it wrote before that is whole, and nothing of it stays behind. */
final class WorkTest {
    private static final Account EDITOR = Accounts.standard().get("editor");
    private static final int MEMBERS = 25;

    /** So long takes each look at the clock. */
    private final AtomicLong slowness = new AtomicLong();

    private final AtomicLong passed = new AtomicLong();

    private void with(String setting, Consumer<SiteClient> use) {
        TimeSource clock = new TimeSource() {
            @Override
            public long nanoTime() {
                return System.nanoTime() + passed.addAndGet(slowness.get());
            }

            @Override
            public Instant instant() {
                return Instant.now().plusNanos(passed.get());
            }
        };
        try (ReferenceServer server = ReferenceServer.start(
                Database.H2, starting -> starting.getBeanFactory().registerSingleton("movedClock", clock), setting)) {
            use.accept(new SiteClient(server.base()));
        }
    }

    @Test
    void aRequestRunsOnlySoManyStatements() {
        with("--content-api.requests.max-statements=60", site -> {
            assertEndedInBetween(batch(site), site);
            assertThat(batch(site).status()).as("the next request").isEqualTo(207);
        });
    }

    @Test
    void aRequestKeepsItsWorkerOnlySoLong() {
        with("--content-api.requests.work-deadline=60s", site -> {
            slowness.set(Duration.ofSeconds(1).toNanos());
            Answer answer = batch(site);
            slowness.set(0);

            assertEndedInBetween(answer, site);
        });
    }

    /** Wherever the time is over: before the change, or between it and what is read of it. */
    @Test
    void whatIsNotToldIsNotStored() {
        with("--content-api.requests.work-deadline=60s", site -> {
            String widget = site.base() + "/api/v1/widget/";
            String token = "Bearer "
                    + site.callAddress("POST", widget + "init")
                            .json("{}")
                            .send()
                            .json()
                            .path("token")
                            .asString();
            Set<Integer> statuses = new TreeSet<>();
            for (int seconds = 2; seconds <= 64; seconds += 2) {
                slowness.set(Duration.ofSeconds(seconds).toNanos());
                Answer renamed = site.callAddress("POST", widget + "conversation/rename")
                        .header("Authorization", token)
                        .json("{\"title\": \"" + seconds + "\"}")
                        .send();
                slowness.set(0);
                Answer read = site.callAddress("GET", widget + "conversation")
                        .header("Authorization", token)
                        .send();

                statuses.add(renamed.status());
                assertThat(read.json().path("title").asString().equals("" + seconds))
                        .as("after %s: %s", renamed.text(), read.text())
                        .isEqualTo(renamed.status() == 200);
            }
            assertThat(statuses).containsExactly(200, 503);
        });
    }

    private static Answer batch(SiteClient site) {
        ObjectNode batch = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < MEMBERS; i++) {
            batch.withArray("requests")
                    .addObject()
                    .put("path", "/cms/v2/posts")
                    .putObject("body")
                    .put("title", "One of many")
                    .put("status", "publish");
        }
        return site.call("POST", "/batch/v1").as(EDITOR).json(batch).send();
    }

    private static void assertEndedInBetween(Answer answer, SiteClient site) {
        List<Integer> statuses = new ArrayList<>();
        answer.json()
                .path("responses")
                .forEach(one -> statuses.add(one.path("status").intValue()));
        int made = statuses.indexOf(503);

        assertThat(answer.text()).contains("rest_unavailable");
        assertThat(made).isPositive();
        assertThat(statuses.subList(0, made)).containsOnly(201);
        assertThat(statuses.subList(made, MEMBERS)).containsOnly(503);
        assertThat(site.call("GET", "/cms/v2/posts", Query.of("search", "One of many"))
                        .send()
                        .header("X-WP-Total"))
                .contains(Integer.toString(made));
    }
}

package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.test.TestClock;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is scheduled is published when its time comes, also if the server was down at that moment. */
final class SchedulingTest {
    private static final String POSTS = "/cms/v2/posts";

    private final TestClock clock = new TestClock(Instant.parse("2030-01-01T12:00:00Z"));

    @Test
    void scheduledItemsArePublishedWhenTheirTimeComes(@TempDir Path data) {
        long running;
        long down;
        try (ReferenceServer server = start(data)) {
            SiteClient site = new SiteClient(server.base());
            running = schedule(site, "2030-01-01T13:00:00");
            down = schedule(site, "2030-01-01T14:00:00");
            publishDue(server);
            assertThat(status(site, running)).isEqualTo("future");

            clock.setCalendar(Instant.parse("2030-01-01T13:00:00Z"));
            publishDue(server);
            assertThat(status(site, running)).isEqualTo("publish");
            assertThat(status(site, down)).isEqualTo("future");
        }
        clock.setCalendar(Instant.parse("2030-01-01T15:00:00Z"));
        try (ReferenceServer server = start(data)) {
            publishDue(server);
            assertThat(status(new SiteClient(server.base()), down)).isEqualTo("publish");
        }
    }

    private ReferenceServer start(Path data) {
        return ReferenceServer.start(
                Database.H2,
                ReferenceServer.with(clock),
                "--content-api.data-dir=" + data,
                // Asked by hand: a test does not wait.
                "--content-api.publish-interval=1d");
    }

    private static void publishDue(ReferenceServer server) {
        server.context().getBean(ItemWriter.class).publishDue();
    }

    private long schedule(SiteClient site, String date) {
        JsonNode fields = Json.read("{\"title\": \"Later\", \"status\": \"publish\", \"date\": \"" + date + "\"}");
        JsonNode made = site.as("admin").post(POSTS, fields).json();
        assertThat(made.path("status").asString("")).isEqualTo("future");
        return made.path("id").longValue();
    }

    private String status(SiteClient site, long id) {
        return site.as("admin").get(POSTS + "/" + id).text("/status");
    }
}

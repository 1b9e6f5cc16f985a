package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.cms.security.QuickHashes;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.test.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** What is scheduled is published when its time comes, also if the server was down at that moment. */
final class SchedulingTest {
    private static final String POSTS = "/cms/v2/posts";

    private final Account admin = Accounts.standard().get("admin");
    private final TestClock clock = new TestClock(Instant.parse("2030-01-01T12:00:00Z"));

    @Test
    void scheduledItemsArePublishedWhenTheirTimeComes(@TempDir Path data) {
        long running;
        long down;
        try (ConfigurableApplicationContext server = start(data)) {
            SiteClient site = site(server);
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
        try (ConfigurableApplicationContext server = start(data)) {
            publishDue(server);
            assertThat(status(site(server), down)).isEqualTo("publish");
        }
    }

    private ConfigurableApplicationContext start(Path data) {
        List<String> arguments = new ArrayList<>(ReferenceServer.standardArguments(data, 0));
        // Asked by hand: a test does not wait.
        arguments.add("--content-api.publish-interval=" + Duration.ofDays(1));
        return new SpringApplicationBuilder(ContentApiApplication.class)
                .initializers(
                        QuickHashes::in, context -> context.getBeanFactory().registerSingleton("testClock", clock))
                .run(arguments.toArray(String[]::new));
    }

    private static SiteClient site(ConfigurableApplicationContext server) {
        return new SiteClient("http://127.0.0.1:" + server.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static void publishDue(ConfigurableApplicationContext server) {
        server.getBean(DuePublisher.class).publishDue();
    }

    private long schedule(SiteClient site, String date) {
        JsonNode fields = Json.read("{\"title\": \"Later\", \"status\": \"publish\", \"date\": \"" + date + "\"}");
        JsonNode made = site.call("POST", POSTS).as(admin).json(fields).send().json();
        assertThat(made.path("status").asString("")).isEqualTo("future");
        return made.path("id").longValue();
    }

    private String status(SiteClient site, long id) {
        return site.call("GET", POSTS + "/" + id)
                .as(admin)
                .send()
                .json()
                .path("status")
                .asString("");
    }
}

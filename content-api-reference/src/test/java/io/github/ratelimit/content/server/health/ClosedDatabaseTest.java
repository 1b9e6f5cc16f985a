package io.github.ratelimit.content.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** An embedded database that closed itself for good, as after a failed write, does not keep a process that serves nobody. */
@ExtendWith(OutputCaptureExtension.class)
class ClosedDatabaseTest {

    @Test
    void isSeenInTheLivenessAfterThirtySecondsAndNotBefore() throws Exception {
        TestClock clock = new TestClock();
        try (ReferenceServer server =
                ReferenceServer.start(Database.H2, "--spring.datasource.hikari.connection-timeout=250")) {
            // Not the server's own, which would end this process.
            ClosedDatabase watch =
                    new ClosedDatabase(server.context().getBean(ContentHealthIndicator.class), server.context(), clock);
            assertThat(watch.isClosedForLong()).isFalse();

            close(server);
            assertThat(watch.isClosedForLong()).isFalse();
            clock.advance(Duration.ofSeconds(29));
            assertThat(watch.isClosedForLong()).isFalse();
            assertThat(liveness(server)).isEqualTo(200);

            clock.advance(Duration.ofSeconds(1));
            assertThat(watch.isClosedForLong()).isTrue();
            assertThat(liveness(server)).isEqualTo(503);
        }
    }

    @Test
    void isTheWarningOfATaskThatRunsAgainAndNoStackTrace(CapturedOutput output) throws Exception {
        try (ReferenceServer server = ReferenceServer.start(
                Database.H2,
                "--spring.datasource.hikari.connection-timeout=250",
                "--content-api.publish-interval=100ms")) {
            close(server);
            while (output.getAll()
                            .lines()
                            .filter(line -> line.contains("[   scheduling-"))
                            .count()
                    < 3) {
                new SiteClient(server.base()).open(server.base() + "/actuator/health");
            }
        }

        assertThat(output.getAll().lines().filter(line -> line.contains("[   scheduling-")))
                .allSatisfy(line -> assertThat(line).contains(" WARN ", "runs again"));
        assertThat(output).doesNotContain("\tat ");
    }

    private static void close(ReferenceServer server) throws IOException {
        Path file = server.dataDirectory().resolve("content.mv.db");
        Files.delete(file);
        Files.createDirectory(file);
        ContentHealthIndicator content = server.context().getBean(ContentHealthIndicator.class);
        while (content.health().getStatus().equals(Status.UP)) { // other threads may open it meanwhile
            shutDown(server.context().getBean(JdbcTemplate.class));
        }
    }

    private static void shutDown(JdbcTemplate jdbc) {
        try {
            jdbc.execute("shutdown immediately");
        } catch (DataAccessException e) {
            return; // it is closed already
        }
    }

    private static int liveness(ReferenceServer server) {
        return new SiteClient(server.base())
                .open(server.base() + "/actuator/health/liveness")
                .status();
    }
}

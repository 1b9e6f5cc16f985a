package io.github.ratelimit.content.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.WatchedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Whoever asks for pages while the server is busy is told so, and fills no log. */
final class BusyPagesTest {

    @Test
    void rejectionForNowIsNoError() throws SQLException {
        List<String> addresses = List.of(
                "/",
                "/?p=1",
                "/uploads/2026/11/a.png",
                "/authorize-application?app_name=x",
                "/limits/live",
                "/index.php?rest_route=/cms/v2/posts",
                "/api/v1/widget/conversation");
        String right = "Authorization: " + Accounts.standard().get("admin").basic();
        try (ReferenceServer server = ReferenceServer.start(
                        Database.H2,
                        "--spring.datasource.hikari.connection-timeout=250",
                        "--spring.datasource.hikari.maximum-pool-size=2");
                WatchedLog log = WatchedLog.ofRequests()) {
            DataSource database = server.context().getBean(DataSource.class);
            try (Connection one = database.getConnection();
                    Connection other = database.getConnection()) {
                List<Answer> answers = AtOnce.run(
                        4 * addresses.size(),
                        number -> RawConnection.once(
                                server.base(),
                                "GET " + addresses.get(number / 4) + " HTTP/1.1",
                                "",
                                number % 2 == 0 ? right : "Accept: text/html"));

                assertThat(List.of(one.isClosed(), other.isClosed())).containsOnly(false);
                assertThat(answers)
                        .extracting(Answer::status)
                        .contains(503)
                        .allMatch(status -> status == 503 || status < 500);
                assertThat(answers)
                        .filteredOn(answer -> answer.status() == 503)
                        .hasSizeGreaterThan(3 * 4)
                        .allSatisfy(answer ->
                                assertThat(answer.header("Retry-After")).contains(UnavailableException.RETRY_AFTER));
            }
            assertThat(log.faults()).isEmpty();
        }
    }
}

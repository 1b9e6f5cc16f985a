package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;

/** What the health and the meters of a server tell. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServerHealthTest {
    private static final String CLIENT = "203.0.113.1";

    private final Account admin = Accounts.standard().get("admin");

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            "--content-api.requests.max-waiting=1",
            "--content-api.requests.max-queued=7",
            "--content-api.requests.max-bytes-in-flight=800KB");

    private final SiteClient site = new SiteClient(server.base());

    /** Light requests are served on, so a server that is attacked must not be taken away from everybody. */
    @Test
    void whereNobodyMayWaitAnyMoreTheServerIsUp() {
        var transfers = server.context().getBean(Transfers.class);

        assertThat(transfers.tryWait(CLIENT)).isTrue();
        try {
            assertThat(details("workers")).containsEntry("waiting", 1L);
            assertThat(status("/actuator/health")).isEqualTo(200);
            assertThat(status("/actuator/health/readiness")).isEqualTo(200);
        } finally {
            transfers.waited(CLIENT, 0);
        }
    }

    /** Where all that stores is refused; what is there is read on. */
    @Test
    void theDiskOfTheDataShowsInHealthAndNotInReadiness() {
        assertThat(details("diskSpace"))
                .containsEntry("threshold", 64L << 20)
                .containsEntry("path", server.dataDirectory().toString());
        assertThat(health("readiness"))
                .isInstanceOfSatisfying(
                        CompositeHealthDescriptor.class,
                        ready -> assertThat(ready.getComponents()).containsOnlyKeys("readinessState", "db", "content"));
    }

    @Test
    void whatIsBoundedIsMetered() {
        String meters = site.callAddress("GET", server.base() + "/actuator/prometheus")
                .as(admin)
                .send()
                .text();

        assertThat(meters)
                .contains("\ncontent_requests_waiting ", "\ncontent_requests_maximum_waiting 1.0")
                .contains("\ncontent_requests_queued ", "\ncontent_requests_maximum_queued 7.0")
                .contains("\ncontent_requests_held_bytes ", "\ncontent_requests_maximum_held_bytes 819200.0")
                .contains("\ncontent_requests_body_bytes_max ", "\ncontent_requests_answer_bytes_sum ")
                .contains("\ncontent_requests_statements_max ", "\ncontent_requests_work_seconds_count ")
                .contains(
                        "\ncontent_requests_answered_bytes ", "\ncontent_requests_maximum_answered_bytes 6.7108864E7");
    }

    private int status(String path) {
        return site.callAddress("GET", server.base() + path).send().status();
    }

    private Object health(String path) {
        return Objects.requireNonNull(
                server.context().getBean(HealthEndpoint.class).healthForPath(path), path);
    }

    private Map<String, Object> details(String component) {
        return health(component) instanceof IndicatedHealthDescriptor told ? told.getDetails() : Map.of();
    }
}

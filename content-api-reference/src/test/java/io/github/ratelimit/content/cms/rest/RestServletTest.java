package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What holds for every route. */
@TestInstance(Lifecycle.PER_CLASS)
class RestServletTest {
    private final Account admin = Accounts.standard().get("admin");

    @SuppressWarnings("NullAway.Init")
    private ReferenceServer server;

    @SuppressWarnings("NullAway.Init")
    private SiteClient site;

    @BeforeAll
    void start() {
        server = ReferenceServer.start(Database.H2);
        site = new SiteClient(server.base());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** By its pattern: there are as many as routes, whatever is asked for. */
    @Test
    void requestsAreObservedByTheirRoute() {
        for (String route : List.of("/cms/v2/posts/990001", "/cms/v2/posts/990002", "/cms/v2/nothing/990003")) {
            assertThat(site.call("GET", route).send().status()).isEqualTo(404);
        }
        String meters = site.callAddress("GET", server.base() + "/actuator/prometheus")
                .as(admin)
                .send()
                .text();

        assertThat(meters.lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .filter(line -> line.contains("uri=\"/index.php/cms/v2/posts/(?P<id>[\\\\d]+)\"")))
                .singleElement()
                .asString()
                .endsWith(" 2");
        assertThat(meters).doesNotContain("99000");
    }
}

package io.github.ratelimit.content.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Routes are limited by the library's own property, and a batch costs what its requests would cost. */
@TestInstance(Lifecycle.PER_CLASS)
final class RouteLimitsTest {
    private static final String PATHS = "--ratelimit.http.paths";
    private static final String LIMITERS = "--ratelimit.limiters.";

    private final Account admin = Accounts.standard().get("admin");

    @SuppressWarnings("NullAway.Init")
    private ReferenceServer server;

    @SuppressWarnings("NullAway.Init")
    private SiteClient site;

    @BeforeAll
    void start() {
        server = ReferenceServer.start(
                Database.H2,
                limiter("writing", 30),
                LIMITERS + "writing.rules[0].name=minute",
                LIMITERS + "writing.rules[0].window=1h",
                LIMITERS + "writing.rules[0].key=header:X-Test",
                limiter("reading", 2),
                LIMITERS + "reading.rules[0].name=minute",
                LIMITERS + "reading.rules[0].window=1h",
                LIMITERS + "reading.rules[0].key=header:X-Test",
                PATHS + "[0].pattern=/index.php/cms/v2/posts/**",
                PATHS + "[0].methods=POST,PUT,PATCH,DELETE",
                PATHS + "[0].limiter=writing",
                PATHS + "[1].pattern=/index.php/cms/v2/tags",
                PATHS + "[1].limiter=reading");
        site = new SiteClient(server.base());
    }

    private static String limiter(String name, int permits) {
        return LIMITERS + name + ".rules[0].permits=" + permits;
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void aRouteIsLimitedHoweverItIsSpelled() {
        assertThat(tags("/cms/v2/tags").status()).isEqualTo(200);
        assertThat(tags("/cms/v2/tags/").status()).isEqualTo(200);

        Answer refused = tags("/cms/v2/tags");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_rate_limited");
        assertThat(refused.json().path("data").path("status").intValue()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(site.call("GET", "/cms/v2/categories")
                        .header("X-Test", "tags")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private Answer tags(String route) {
        return site.call("GET", route).header("X-Test", "tags").send();
    }

    @Test
    void aBatchCostsAsManyPermitsAsItHasRequestsOfTheLimitedRoute() {
        assertThat(batch(25, "/cms/v2/posts/999999").header("X-RateLimit-Remaining"))
                .contains("5");
        assertThat(batch(25, "/cms/v2/pages/999999").status()).isEqualTo(207);

        Answer refused = batch(6, "/cms/v2/posts/999999");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(batch(5, "/cms/v2/posts/999999").status()).isEqualTo(207);
    }

    private Answer batch(int requests, String path) {
        String one = "{\"method\": \"DELETE\", \"path\": \"" + path + "?force=true\"}";
        return site.call("POST", "/batch/v1")
                .as(admin)
                .header("X-Test", "batch")
                .json("{\"requests\": [" + String.join(",", Collections.nCopies(requests, one)) + "]}")
                .send();
    }
}

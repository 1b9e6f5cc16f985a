package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;

/** Two servers of one site share their limits in the database that has their content. */
final class SharedLimitsTest {

    private static final String[] SHARED = {
        "--ratelimit.store=postgresql",
        "--ratelimit.postgresql.timeout=10s", // a busy machine is slow to start with
        "--ratelimit.postgresql.start-timeout=60s",
        "--ratelimit.limiters.cms-plugin.permits=2",
        "--ratelimit.limiters.cms-plugin.window=1h"
    };

    @Test
    void limitsOfTwoServersAreOne() {
        try (ReferenceServer first = ReferenceServer.start(Database.POSTGRESQL, SHARED);
                ReferenceServer second = ReferenceServer.start(Database.H2, sameDatabaseAs(first))) {
            assertThat(ask(first).status()).isEqualTo(401);
            assertThat(ask(second).status()).isEqualTo(401);
            assertThat(ask(first).status()).isEqualTo(429);
            assertThat(ask(second).status()).isEqualTo(429);
            assertThat(first.context().getBeanFactory().getDependenciesForBean("io.github.ratelimit.rateLimitStore"))
                    .as("made after the database's own schema")
                    .contains("flyway");
        }
    }

    private static String[] sameDatabaseAs(ReferenceServer first) {
        Environment settings = first.context().getEnvironment();
        return Stream.concat(
                        Arrays.stream(SHARED),
                        Stream.of("url", "username", "password")
                                .map(name -> "spring.datasource." + name)
                                .map(name -> "--" + name + "=" + settings.getRequiredProperty(name)))
                .toArray(String[]::new);
    }

    /** Without a token: counted by address, and rejected after that. */
    private static Answer ask(ReferenceServer server) {
        return new SiteClient(server.base()).open(server.base() + "/v1/cms/documents");
    }
}

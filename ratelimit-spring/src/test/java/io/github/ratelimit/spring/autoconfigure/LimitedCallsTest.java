package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import io.github.ratelimit.spring.internal.endpoint.RateLimitsEndpoint;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.stereotype.Service;

/** What an application says of limits of calls that are no requests. */
class LimitedCallsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mailer.class)
            .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
            .withPropertyValues(
                    "ratelimit.limiters.mails.permits=5",
                    "ratelimit.limiters.mails.window=1h",
                    "ratelimit.limiters.mails.key=#tenant");

    @Service
    static class Mailer {
        @RateLimit("mails")
        @RateLimit(name = "all", permits = 9, window = "1m", key = "everybody")
        public void send(String tenant) {}

        public void unlimited() {}
    }

    @Test
    void callsOfMethodsAreShownAtStartAndByTheEndpoint() {
        try (Heard heard = Heard.of(StartReport.class)) {
            runner.run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(heard.lines())
                        .containsExactly(
                                "What is limited beside requests:",
                                "  mails",
                                "    mails: 5 in 1h by #tenant",
                                "    at Mailer.send",
                                "  all",
                                "    all: 9 in 1m by everybody",
                                "    at Mailer.send");
                RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
                assertThat(endpoint.limiters().limiters())
                        .hasEntrySatisfying(
                                "mails", of -> assertThat(of.calls()).containsExactly("Mailer.send"))
                        .hasEntrySatisfying("all", of -> assertThat(of.calls()).containsExactly("Mailer.send"));
            });
        }
    }
}

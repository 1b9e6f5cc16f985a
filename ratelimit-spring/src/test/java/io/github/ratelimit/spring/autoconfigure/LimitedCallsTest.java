package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.diagnostics.StartReport;
import io.github.ratelimit.spring.endpoint.RateLimitsEndpoint;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;

/** What an application says of limits of calls that are no requests, and of limiters that nobody asks. */
class LimitedCallsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mailer.class)
            .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
            .withPropertyValues(limiter("mails", "#tenant"))
            .withPropertyValues(limiter("partner", "attribute:host"));

    private static String[] limiter(String name, String key) {
        String rule = "ratelimit.limiters." + name + ".";
        return new String[] {rule + "permits=5", rule + "window=1h", rule + "key=" + key};
    }

    @Service
    static class Mailer {
        @RateLimit("mails")
        @RateLimit(name = "all", permits = 9, window = "1m", key = "everybody")
        public void send(String tenant) {}

        public void unlimited() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Partners {
        @Bean
        OutgoingLimit toPartner(Limiters<HttpCall> limiters) {
            return OutgoingLimit.builder(limiters.get("partner")).build();
        }
    }

    @Test
    void callsOfMethodsAndToOtherServersAreShownAtStartAndByTheEndpoint() {
        try (Heard heard = Heard.of(StartReport.class)) {
            runner.withUserConfiguration(Partners.class).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(heard.lines())
                        .containsExactly(
                                "What is limited beside requests:",
                                "  mails",
                                "    mails: 5 in 1h by #tenant",
                                "    at Mailer.send",
                                "  all",
                                "    all: 9 in 1m by everybody",
                                "    at Mailer.send",
                                "  partner",
                                "    partner: 5 in 1h by attribute:host",
                                "    at calls by toPartner");
                RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
                assertThat(endpoint.limiters().limiters())
                        .hasEntrySatisfying(
                                "mails", of -> assertThat(of.calls()).containsExactly("Mailer.send"))
                        .hasEntrySatisfying("all", of -> assertThat(of.calls()).containsExactly("Mailer.send"))
                        .hasEntrySatisfying(
                                "partner", of -> assertThat(of.calls()).containsExactly("calls by toPartner"));
            });
        }
    }
}

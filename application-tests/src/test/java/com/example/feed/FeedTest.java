package com.example.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** A feed on WebFlux: its rejections, its users' limits and its management port. */
class FeedTest {

    private static ConfigurableApplicationContext application;
    private static Browser browser;

    @BeforeAll
    static void start() {
        application = Start.of(FeedApplication.class);
        browser = Browser.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void managementPortHasNoShareInTheBudget() {
        Browser management = Browser.ofManagement(application);
        for (String path :
                new String[] {"/actuator/health/liveness", "/actuator/health/readiness", "/actuator/metrics"}) {
            assertThat(management.statuses(10, path, "User-Agent", "probe")).containsOnly(200);
        }
        assertThat(browser.get("/feed", "User-Agent", "probe").headers().firstValue("X-RateLimit-Limit"))
                .isPresent();
    }

    @Test
    void healthPathOfAGroupIsNeverLimited() {
        assertThat(browser.statuses(25, "/healthz", "User-Agent", "kubelet")).containsOnly(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/feed", "/news"})
    void adviceOfThePackageWordsRejections(String path) {
        browser.get(path, "User-Agent", "reader");

        HttpResponse<String> rejection = browser.get(path, "User-Agent", "reader");

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.body()).isEqualTo("{\"feed\":\"slow down\"}");
        assertThat(rejection.headers().map()).containsKeys("Retry-After", "X-RateLimit-Remaining");
        assertThat(rejection.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    }

    @Test
    void questionsTakeTheirTokensAndSettleWithTheAnswer() {
        assertThat(ask(900, 100).body()).isEqualTo("tokens left: 100");
        assertThat(ask(901, 0).body()).as("neither tokens nor a question").isEqualTo("{\"feed\":\"slow down\"}");
        assertThat(ask(-1, 0).statusCode()).isEqualTo(400);
        assertThat(ask(900, 1).body()).isEqualTo("tokens left: 0");
        assertThat(ask(1, 1).body()).isEqualTo("tokens left: 898");
        assertThat(ask(1, 1).statusCode()).isEqualTo(429);
    }

    private static HttpResponse<String> ask(long maxTokens, long used) {
        return browser.post(
                "/answers", "{\"maxTokens\":%d,\"used\":%d}".formatted(maxTokens, used), "User-Agent", "asking");
    }

    @Test
    void usersCountAlone() {
        for (String user : new String[] {"alice", "bob"}) {
            assertThat(browser.statuses(2, "/me", "Authorization", Browser.basic(user)))
                    .containsExactly(200, 429);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/news", "/feed/today"})
    void rejectionCarriesTheFieldsOfTheFeedsOwnCorsFilter(String path) {
        browser.get(path, "Origin", "https://front.example", "User-Agent", "front end");

        HttpResponse<String> rejection =
                browser.get(path, "Origin", "https://front.example", "User-Agent", "front end");

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.headers().allValues("Access-Control-Allow-Origin"))
                .containsExactly("https://front.example");
    }

    @Test
    void eventStreamThatHasBegunEndsWithoutMore() {
        assertThat(browser.get("/prices/stream").body()).isEqualTo("data:begun\n\n");
    }

    @Test
    void answerThatHasBegunEndsWithoutMore() {
        assertThat(browser.get("/prices/written").body()).isEqualTo("begun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/prices/joined", "/functions/joined"})
    void rejectionWithinAnotherExceptionIsAnswered(String path) {
        HttpResponse<String> rejection = browser.get(path);

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.body()).containsAnyOf("slow down", "rate_limited");
        assertThat(rejection.headers().map()).containsKeys("Retry-After", "X-RateLimit-Limit");
    }
}

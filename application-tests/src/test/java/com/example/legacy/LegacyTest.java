package com.example.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that has grown. */
class LegacyTest {

    private static ConfigurableApplicationContext application;
    private static Browser browser;

    @BeforeAll
    static void start() {
        application = Start.of(LegacyApplication.class);
        browser = Browser.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void forwardingFilterOpensNoWayAroundALimit() {
        assertThat(browser.get("/old/forwarded").statusCode()).isEqualTo(200);
        assertThat(browser.get("/forwarded").statusCode()).isEqualTo(200);
        assertThat(browser.get("/old/forwarded").statusCode()).isEqualTo(429);
        assertThat(browser.get("/forwarded").statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @CsvSource({
        "/by-path, {\"api\":\"slow down\"}",
        "/annotated, {\"api\":\"slow down\"}",
        "/joined, {\"api\":\"slow down\"}",
        "/page, the page says: slow down"
    })
    void adviceInScopeOfTheHandlerWordsTheRejection(String path, String body) {
        browser.get(path);

        HttpResponse<String> rejection = browser.get(path);

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.body()).isEqualTo(body);
        assertThat(rejection.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(rejection.headers().map()).containsKeys("Retry-After", "X-RateLimit-Limit");
    }

    @Test
    void keyAndConditionOfARequestsScopeAreAskedWithinIt() {
        for (String visitor : new String[] {"ann", "bob"}) {
            assertThat(browser.statuses(2, "/visited", "X-Visitor", visitor)).containsExactly(200, 429);
        }
        assertThat(browser.statuses(2, "/visited", "X-Visitor", "staff")).containsExactly(200, 200);
    }
}

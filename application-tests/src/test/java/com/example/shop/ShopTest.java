package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.example.Browser;
import com.example.Start;
import com.example.shop.ShopApplication.Sessions;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.servlet.handler.HandlerMappingIntrospector;

/** A shop with accounts: its rejections, its users' limits and its management port. */
class ShopTest {

    private static ConfigurableApplicationContext application;
    private static Browser browser;
    private static final ListAppender<ILoggingEvent> MISSES = new ListAppender<>();

    @BeforeAll
    static void start() {
        MISSES.start();
        application = Start.of(ShopApplication.class);
        ((Logger) LoggerFactory.getLogger(HandlerMappingIntrospector.class))
                .addAppender(MISSES); // Boot sets up logging anew
        browser = Browser.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource({"GET, /catalogue", "GET, /offers", "POST, /login?username=alice&password=guess"})
    void rejectedBrowserSeesTheShopsPageWithoutASession(String method, String path) {
        browser.send(method, path, "Accept", Browser.JSON);
        int before = application.getBean(Sessions.class).opened();

        for (int i = 0; i < 50; i++) {
            HttpResponse<String> rejection = browser.send(method, path, "Accept", Browser.HTML);

            assertThat(rejection.statusCode()).isEqualTo(429);
            assertThat(rejection.body()).contains("The shop asks you to slow down", "Status 429");
            assertThat(rejection.headers().map())
                    .containsKeys("Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
                    .doesNotContainKeys("Location", "Set-Cookie", "WWW-Authenticate");
            assertThat(rejection.headers().firstValue("Cache-Control").orElse(""))
                    .contains("no-store");
        }
        assertThat(application.getBean(Sessions.class).opened()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"GET, /catalogue", "GET, /offers", "POST, /login?username=alice&password=guess"})
    void rejectedProgramGetsJson(String method, String path) {
        browser.send(method, path, "Accept", Browser.JSON);

        HttpResponse<String> rejection = browser.send(method, path, "Accept", Browser.JSON);

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.body()).contains("rate_limited");
        assertThat(rejection.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    }

    @Test
    void keyBeanCountsEachUserAlone() {
        assertThat(browser.statuses(3, "/api/orders", "Authorization", Browser.basic("alice")))
                .containsExactly(200, 200, 429);
        assertThat(browser.statuses(3, "/api/orders", "Authorization", Browser.basic("bob")))
                .containsExactly(200, 200, 429);
    }

    @Test
    void conditionBeanExemptsItsUserAlone() {
        assertThat(browser.statuses(3, "/api/invoices", "Authorization", Browser.basic("alice")))
                .containsExactly(200, 200, 200);
        assertThat(browser.statuses(2, "/api/invoices", "Authorization", Browser.basic("bob")))
                .containsExactly(200, 429);
    }

    @Test
    void roleExemptsItsUsersAlone() {
        for (String user : new String[] {"bob", "carol"}) {
            browser.send("POST", "/api/reports", "Authorization", Browser.basic(user));
        }
        assertThat(browser.send("POST", "/api/reports", "Authorization", Browser.basic("bob"))
                        .statusCode())
                .isEqualTo(429);
        assertThat(browser.send("POST", "/api/reports", "Authorization", Browser.basic("carol"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void managementPortIsNotLimited() {
        assertThat(Browser.ofManagement(application).statuses(5, "/actuator/health/readiness"))
                .containsOnly(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/catalogue", "/api/quotes"})
    void rejectionCarriesTheFieldsOfTheShopsOwnCorsFilter(String path) {
        browser.get(path, "Origin", "https://front.example");

        HttpResponse<String> rejection = browser.get(path, "Origin", "https://front.example");

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.headers().allValues("Access-Control-Allow-Origin"))
                .containsExactly("https://front.example");
        assertThat(MISSES.list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/catalogue", "/offers"})
    void rejectedBrowserSeesThePageInItsLanguage(String path) {
        browser.get(path);

        assertThat(browser.get(path, "Accept", Browser.HTML).body()).contains("Language en");
        assertThat(browser.get(path, "Accept", Browser.HTML, "Cookie", "language=fr")
                        .body())
                .contains("Language fr");
        assertThat(browser.get(path + "?locale=de", "Accept", Browser.HTML).body())
                .contains("Language de");
    }

    @Test
    void eventStreamThatHasBegunEndsWithoutMore() {
        assertThat(browser.get("/prices/stream").body()).isEqualTo("data:begun\n\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/prices/written", "/prices/joined"})
    void rejectionOfAServiceIsAnsweredWhateverItsControllerDid(String path) {
        HttpResponse<String> rejection = browser.get(path);

        assertThat(rejection.statusCode()).isEqualTo(429);
        assertThat(rejection.body()).startsWith("{").contains("rate_limited");
        assertThat(rejection.headers().map()).containsKeys("Retry-After", "X-RateLimit-Limit");
    }
}

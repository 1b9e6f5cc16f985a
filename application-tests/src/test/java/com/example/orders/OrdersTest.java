package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** An application in Kotlin. */
class OrdersTest {

    private static ConfigurableApplicationContext application;
    private static Browser browser;

    @BeforeAll
    static void start() {
        application = Start.of(OrdersApplication.class);
        browser = Browser.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void suspendingControllerIsLimited() {
        assertThat(browser.statuses(2, "/orders")).containsExactly(200, 429);
    }

    @Test
    void suspendingServiceIsLimitedByItsArgument() {
        assertThat(browser.statuses(2, "/mails/ann")).containsExactly(200, 429);
        assertThat(browser.get("/mails/bob").body()).isEqualTo("sent to bob");
    }
}

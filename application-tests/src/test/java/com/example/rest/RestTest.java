package com.example.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** An application on Jersey. */
class RestTest {

    @Test
    void pathsOfResourcesAreLimited() {
        assertThat(ClassUtils.isPresent("org.springframework.web.servlet.DispatcherServlet", null))
                .isFalse();
        try (ConfigurableApplicationContext application = Start.of(RestApplication.class)) {
            Browser browser = Browser.of(application);

            assertThat(browser.get("/books").statusCode()).isEqualTo(200);
            for (String accept : new String[] {Browser.JSON, Browser.HTML}) {
                HttpResponse<String> rejection = browser.get("/books", "Accept", accept);

                assertThat(rejection.statusCode()).isEqualTo(429);
                assertThat(rejection.headers().map()).containsKeys("Retry-After", "X-RateLimit-Limit");
                assertThat(rejection.headers().allValues("Cache-Control")).containsExactly("no-store");
            }
        }
    }
}

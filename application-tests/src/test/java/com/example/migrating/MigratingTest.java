package com.example.migrating;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** An application whose own classes have the names of ours. */
class MigratingTest {

    @Test
    void ownClassesOfTheSameNamesStayAtWork() {
        try (ConfigurableApplicationContext application = Start.of(MigratingApplication.class)) {
            Browser browser = Browser.of(application);

            HttpResponse<String> first = browser.get("/search");

            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.headers().map())
                    .containsKeys("X-Own-Filter", "X-Own-Interceptor", "X-RateLimit-Remaining");
            assertThat(browser.get("/search").statusCode()).isEqualTo(429);
        }
    }
}

package demo;

import static io.github.ratelimit.spring.test.WebTestClientRequests.assertThatRequest;

import demo.SearchApplication.SearchController;
import io.github.ratelimit.spring.test.AutoConfigureRateLimit;
import io.github.ratelimit.test.TestClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.web.reactive.server.WebTestClient;

// region webflux
@WebFluxTest(SearchController.class)
@AutoConfigureRateLimit
class SearchFluxTest {

    @Test
    void eleventhSearchOfAMinuteIsRejected(@Autowired WebTestClient client, @Autowired TestClock clock) {
        assertThatRequest(client.get().uri("/search"))
                .isAllowed(10)
                .thenRejected()
                .hasField("X-RateLimit-Limit", "10")
                .thenAllowedAgain(clock);
    }
}
// endregion

package demo;

import static io.github.ratelimit.spring.test.MockMvcRequests.assertThatRequest;

import demo.SearchApplication.SearchController;
import io.github.ratelimit.spring.test.AutoConfigureRateLimit;
import io.github.ratelimit.spring.test.WithoutRateLimits;
import io.github.ratelimit.test.TestClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

// region mvc
@WebMvcTest(SearchController.class)
@AutoConfigureRateLimit
class SearchMvcTest {

    @Test
    void eleventhSearchOfAMinuteIsRejected(@Autowired MockMvcTester mvc, @Autowired TestClock clock) {
        assertThatRequest(mvc.get().uri("/search"))
                .isAllowed(10)
                .thenRejected()
                .hasField("X-RateLimit-Limit", "10")
                .thenAllowedAgain(clock);
    }

    @Test
    @WithoutRateLimits
    void everySearchIsAnswered(@Autowired MockMvcTester mvc) {
        assertThatRequest(mvc.get().uri("/search")).isAllowed(100);
    }
}
// endregion

package demo;

import static io.github.ratelimit.spring.test.MockMvcRequests.assertThatRequest;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.github.ratelimit.spring.test.AutoConfigureRateLimit;
import io.github.ratelimit.test.TestClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

// region application
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureRateLimit
class SearchApplicationTest {

    @Test
    void eleventhSearchOfAMinuteIsRejected(@Autowired MockMvc mvc, @Autowired TestClock clock) {
        assertThatRequest(mvc, get("/search"))
                .isAllowed(10)
                .thenRejected()
                .hasField("X-RateLimit-Limit", "10")
                .thenAllowedAgain(clock);
    }
}
// endregion

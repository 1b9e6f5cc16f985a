package demo;

import static io.github.ratelimit.spring.test.RestTestClientRequests.assertThatRequest;

import io.github.ratelimit.spring.test.AutoConfigureRateLimit;
import io.github.ratelimit.test.TestClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.web.servlet.client.RestTestClient;

// region server
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient // Spring Boot 4
@AutoConfigureRateLimit
class SearchServerTest {

    @Test
    void eleventhSearchOfAMinuteIsRejected(@Autowired RestTestClient client, @Autowired TestClock clock) {
        assertThatRequest(client.get().uri("/search")).isAllowed(10).thenRejected().thenAllowedAgain(clock);
    }
}
// endregion

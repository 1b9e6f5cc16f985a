package demo;

import static io.github.ratelimit.spring.test.MockMvcRequests.assertThatRequest;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import demo.SearchApplication.SearchController;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.test.RateLimitExtension;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

// region plain
class SearchControllerTest {

    @RegisterExtension
    static final RateLimitExtension LIMITS = RateLimitExtension.of(
            LimiterSpec.<HttpCall>of("search", Limit.of(10, Duration.ofMinutes(1)), HttpKeys.clientAddress()));

    @Test
    void eleventhSearchOfAMinuteIsRejected(Limiters<HttpCall> limiters, TestClock clock) {
        HttpRateLimiter limiter = new HttpRateLimiter(limiters, FieldStyle.X_RATELIMIT);
        MockMvc mvc = MockMvcBuilders.standaloneSetup(new SearchController())
                .addInterceptors(new RateLimitInterceptor(limiter, SearchController.class))
                .setHandlerExceptionResolvers(new RateLimitExceptionResolver(RejectionBody.jsonOrProblem()))
                .build();
        assertThatRequest(mvc, get("/search")).isAllowed(10).thenRejected().thenAllowedAgain(clock);
    }
}
// endregion

package io.github.ratelimit.spring.test;

import static io.github.ratelimit.spring.test.MockMvcRequests.assertThatRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** What the annotation does to an application that counts elsewhere and by another clock. */
@SpringBootTest(
        classes = AutoConfigureRateLimitTest.Application.class,
        properties = {
            "ratelimit.store=redis",
            "ratelimit.redis.uri=redis://127.0.0.1:1",
            "ratelimit.limiters.search.permits=2",
            "ratelimit.limiters.search.window=1h"
        })
@AutoConfigureRateLimit
class AutoConfigureRateLimitTest {

    private static MockMvc mvc(WebApplicationContext context) {
        return MockMvcBuilders.webAppContextSetup(context).build();
    }

    @RepeatedTest(2)
    void eachTestHasWholeBudgets(@Autowired WebApplicationContext context) {
        assertThatRequest(mvc(context), get("/search")).isAllowed(2).thenRejected();
    }

    @Test
    void limitsCountByTheClockOfTheTest(
            @Autowired WebApplicationContext context,
            @Autowired TestClock clock,
            @Autowired TimeSource time,
            @Autowired Store store) {
        assertThat(time).isSameAs(clock);
        assertThat(store.time()).isSameAs(clock);
        assertThatRequest(mvc(context), get("/search"))
                .isAllowed(2)
                .thenRejected()
                .hasRetryAfter(Duration.ofHours(1))
                .thenAllowedAgain(clock);
    }

    @Test
    void requestsThatAreAnsweredLaterAreCountedOnce(@Autowired WebApplicationContext context) {
        assertThatRequest(mvc(context), get("/later")).isAllowed(2).thenRejected();
    }

    @Test
    void requestsOfTheTesterAreSentAgainAndAgain(@Autowired WebApplicationContext context) {
        assertThatRequest(MockMvcTester.create(mvc(context)).get().uri("/later"))
                .isAllowed(2)
                .thenRejected();
    }

    @Test
    @WithoutRateLimits
    void testWithoutLimitsIsRejectedNothing(@Autowired WebApplicationContext context) {
        assertThatRequest(mvc(context), get("/search")).isAllowed(5).hasField("X-RateLimit-Remaining", "2");
    }

    @Nested
    @WithoutRateLimits
    class ClassWithoutLimits {

        @Test
        void isRejectedNothing(@Autowired WebApplicationContext context) {
            assertThatRequest(mvc(context), get("/search")).isAllowed(5);
        }
    }

    @Nested
    @AutoConfigureRateLimit(enabled = false)
    class SwitchedOff {

        @Test
        void noRequestIsLimitedAndNoneHasAField(@Autowired WebApplicationContext context) {
            assertThatRequest(mvc(context), get("/search")).isAllowed(5).hasNoField("X-RateLimit-Limit");
        }
    }

    @Test
    void limitsThatCannotBeSwitchedAreTold() {
        assertThat(TestRun.of(UnpreparedCase.class).failures())
                .singleElement()
                .asString()
                .contains("@WithoutRateLimits on UnpreparedCase.wantsNoLimits has no effect")
                .contains("add @AutoConfigureRateLimit to the class");
    }

    @SpringBootTest(classes = UnpreparedCase.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
    static class UnpreparedCase {
        @Test
        @WithoutRateLimits
        void wantsNoLimits() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(SearchController.class)
    static class Application {

        @Bean
        TimeSource anotherClock() {
            return TimeSource.system();
        }
    }

    @RestController
    static class SearchController {

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }

        @GetMapping("/later")
        @RateLimit("search")
        CompletionStage<String> later() {
            return CompletableFuture.completedFuture("found");
        }
    }
}

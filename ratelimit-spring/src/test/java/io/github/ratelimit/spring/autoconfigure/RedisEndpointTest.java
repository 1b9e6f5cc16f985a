package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.RateLimit;
import io.lettuce.core.RedisClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An operator finds a client's counters by what he knows of it, on a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
@Floor
class RedisEndpointTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        LimiterSpec<HttpCall> own() {
            return LimiterSpec.of("own", Limit.of("m", 1, Duration.ofMinutes(1)), call -> Key.of(call.path()));
        }
    }

    @RestController
    static class Pages {

        @GetMapping("/page")
        @RateLimit("page")
        String page() {
            return "page";
        }

        @GetMapping("/plan")
        @RateLimit("plan")
        String plan() {
            return "plan";
        }
    }

    private static RedisProcess redis;
    private static RedisClient operator;
    private static RunningApplication application;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        operator = RedisClient.create(redis.uri());
        application = application().start();
    }

    private static RunningApplication.Builder application() {
        return RunningApplication.of(Application.class, Pages.class)
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.uri", redis.uri())
                .property("ratelimit.redis.timeout", "10s")
                .property("ratelimit.redis.remember-rejections", "0")
                .property("ratelimit.limiters.page.rules.burst.permits", 5)
                .property("ratelimit.limiters.page.rules.burst.window", "1h")
                .property("ratelimit.limiters.page.rules.burst.key", "client-address, user-agent")
                .property("ratelimit.limiters.page.rules.daily.permits", 100)
                .property("ratelimit.limiters.page.rules.daily.window", "1d")
                .property("ratelimit.limiters.page.rules.daily.key", "client-address")
                .property("ratelimit.limiters.plan.plans.free", 3)
                .property("ratelimit.limiters.plan.plans.pro", 30)
                .property("ratelimit.limiters.plan.plan-by", "header:X-Plan")
                .property("ratelimit.limiters.plan.window", "1h")
                .property("ratelimit.limiters.plan.key", "principal | client-address")
                .property("ratelimit.limiters.partner.permits", 3)
                .property("ratelimit.limiters.partner.window", "1h")
                .property("ratelimit.limiters.partner.key", "principal | header:X-Api-Key | client-address")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted")
                .property("logging.level.io.github.ratelimit", "info");
    }

    @AfterAll
    static void stop() {
        application.close();
        operator.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        redis.close();
    }

    @BeforeEach
    void forget() {
        try (var connection = operator.connect()) {
            connection.sync().flushall();
        }
    }

    private static Answer endpoint(String method, String target) throws Exception {
        return RawHttp.send(application.base(), method + " /actuator/ratelimits/" + target + " HTTP/1.1");
    }

    private static Answer look(String target) throws Exception {
        return endpoint("GET", target);
    }

    private static String rule(Answer answer, String name) {
        Matcher rule = Pattern.compile("\\{\"name\":\"" + name + "\".*?\"storeKey\":\"[^\"]+\"}")
                .matcher(answer.body());
        assertThat(rule.find()).as(answer.body()).isTrue();
        return rule.group();
    }

    private static String storeKey(String rule) {
        Matcher key = Pattern.compile("\"storeKey\":\"([^\"]+)\"").matcher(rule);
        assertThat(key.find()).as(rule).isTrue();
        return key.group(1);
    }

    private static String value(String storeKey) {
        try (var connection = operator.connect()) {
            return connection.sync().get(storeKey);
        }
    }

    private static void get(String path, String... fields) throws Exception {
        assertThat(RawHttp.get(application.base(), path, fields).status()).isEqualTo(200);
    }

    @Test
    void describedCallFindsEachRulesCounterAndTakesNothing() throws Exception {
        for (int i = 0; i < 3; i++) {
            get("/page", "User-Agent: Mozilla/5.0 (KHTML, like Gecko)");
        }
        get("/page", "User-Agent: other");
        for (int i = 0; i < 3; i++) {
            Answer answer = look(
                    "page?client=address:127.0.0.1&client=header:User-Agent:Mozilla/5.0%20(KHTML,%20like%20Gecko)");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(rule(answer, "burst"))
                    .contains("\"permits\":5", "\"remaining\":2", "\"window\":\"PT1H\"", "\"resetAfter\":\"PT59M");
            assertThat(rule(answer, "daily")).contains("\"permits\":100", "\"remaining\":96");
            assertThat(value(storeKey(rule(answer, "burst")))).isEqualTo("3");
            assertThat(value(storeKey(rule(answer, "daily")))).isEqualTo("4");
        }
        assertThat(look("page?client=address:127.0.0.1&client=header:User-Agent:other")
                        .body())
                .contains("\"remaining\":4", "\"remaining\":96");
    }

    @Test
    void resetForgetsThatClientAlone() throws Exception {
        get("/page", "User-Agent: one");
        get("/page", "User-Agent: two");
        assertThat(endpoint("DELETE", "page?client=address:127.0.0.1&client=header:User-Agent:one")
                        .status())
                .isEqualTo(204);
        assertThat(rule(look("page?client=address:127.0.0.1&client=header:User-Agent:one"), "burst"))
                .contains("\"remaining\":5");
        assertThat(rule(look("page?client=address:127.0.0.1&client=header:User-Agent:two"), "burst"))
                .contains("\"remaining\":4");
        assertThat(rule(look("page?client=address:127.0.0.1&client=header:User-Agent:two"), "daily"))
                .as("counted by address alone, and so reset with the one")
                .contains("\"remaining\":100");
    }

    /** Who is blocked, is found in the log, in the list and in Redis by one name. */
    @Test
    void blockHasTheNameOfItsCounterEverywhere(CapturedOutput output) throws Exception {
        String name = storeKey(rule(look("plan?client=address:127.0.0.1"), "plan"));
        HttpRequest block = HttpRequest.newBuilder(application.base().resolve("/actuator/ratelimits/plan/block"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"client\":\"address:127.0.0.1\",\"duration\":\"1h\"}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(block, HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("\"block/" + name + "\":");
        assertThat(endpoint("DELETE", "plan/block?client=address:127.0.0.1").status())
                .isEqualTo(204);
        assertThat(output)
                .contains("RATELIMIT_BLOCKED by 'anonymous': {counters=[" + name + "], duration=PT1H, limiter=plan}")
                .contains("RATELIMIT_UNBLOCKED by 'anonymous': {counters=[" + name + "], limiter=plan}");
    }

    @Test
    void partThatIsNotDescribedIsAbsent() throws Exception {
        get("/page");
        assertThat(rule(look("page?client=address:127.0.0.1"), "burst")).contains("\"remaining\":4");
        get("/plan");
        assertThat(rule(look("plan?client=address:127.0.0.1"), "plan"))
                .as("nobody is signed in, and the address is the fallback")
                .contains("\"permits\":3", "\"remaining\":2");
        assertThat(rule(look("plan?client=user:ann"), "plan")).contains("\"remaining\":3");
    }

    @Test
    void counterIsTheSameInEveryPlan() throws Exception {
        get("/plan", "X-Plan: pro");
        String pro = rule(look("plan?client=address:127.0.0.1&client=header:X-Plan:pro"), "plan");
        String free = rule(look("plan?client=address:127.0.0.1"), "plan");
        assertThat(pro).contains("\"permits\":30", "\"remaining\":29");
        assertThat(free).contains("\"permits\":3", "\"remaining\":2");
        assertThat(storeKey(free)).isEqualTo(storeKey(pro));
    }

    @Test
    void networkOfAnAddressIsFoundByTheAddress() throws Exception {
        String one = storeKey(rule(look("page?client=address:2001:db8::1"), "daily"));
        assertThat(storeKey(rule(look("page?client=address:2001:DB8:0::ffff"), "daily")))
                .isEqualTo(one);
        assertThat(storeKey(rule(look("page?client=address:2001:db8:1::1"), "daily")))
                .isNotEqualTo(one);
    }

    @Test
    void unknownLimiterIsNotFoundAndTheKnownOnesAreNamed() throws Exception {
        assertThat(look("own?client=address:192.0.2.1").body()).contains("\"remaining\":1");
        for (Answer unknown : List.of(
                look("nobody"),
                look("nobody?client=address:192.0.2.1"),
                endpoint("DELETE", "nobody?client=address:192.0.2.1"))) {
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.body()).contains("no such limiter: 'nobody'; known: ", "page", "partner", "plan", "own");
        }
    }

    @Test
    void keyThatReadsThePathHasTheCounterOfTheGivenPath() throws Exception {
        String one = storeKey(rule(look("own?client=path:/one"), "m"));
        assertThat(storeKey(rule(look("own?client=path:/one&client=user:ann"), "m")))
                .isEqualTo(one);
        assertThat(storeKey(rule(look("own?client=path:/two"), "m"))).isNotEqualTo(one);
    }

    @Test
    void nothingIsResetUnlessThatIsSwitchedOn() throws Exception {
        get("/page", "User-Agent: one");
        try (RunningApplication readOnly = application()
                .property("management.endpoint.ratelimits.access", "read-only")
                .start()) {
            String target = " /actuator/ratelimits/page?client=address:127.0.0.1&client=header:User-Agent:one HTTP/1.1";
            assertThat(RawHttp.send(readOnly.base(), "DELETE" + target).status())
                    .isEqualTo(405);
            assertThat(rule(RawHttp.send(readOnly.base(), "GET" + target), "burst"))
                    .contains("\"remaining\":4");
        }
    }

    @Test
    void storeThatDoesNotAnswerIsNoStanding() throws Exception {
        try (RunningApplication away = application()
                .property("ratelimit.redis.uri", "redis://127.0.0.1:1")
                .property("ratelimit.redis.start-timeout", "0")
                .start()) {
            String target = " /actuator/ratelimits/page?client=address:127.0.0.1&client=header:User-Agent:one HTTP/1.1";
            for (String method : new String[] {"GET", "DELETE"}) {
                Answer answer = RawHttp.send(away.base(), method + target);
                assertThat(answer.status()).as(method).isEqualTo(503);
                assertThat(answer.body()).contains("Redis (127.0.0.1:1)");
            }
        }
    }
}

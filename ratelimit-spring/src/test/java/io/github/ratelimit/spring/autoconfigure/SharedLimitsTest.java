package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.RateLimit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Two nodes on one Redis, with the Lettuce that the line of Spring Boot brings. */
class SharedLimitsTest {

    @Test
    void nodesShareOneBudgetAndGoOnWithoutRedis() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication byAddress =
                        node().property("ratelimit.redis.uri", redis.uri()).start();
                RunningApplication byOwnConnection =
                        node().property("spring.data.redis.url", redis.uri()).start()) {
            assertThat(byAddress.context().getBean(RedisStore.class)).isNotNull();
            assertThat(remaining(byAddress)).isEqualTo("2");
            assertThat(remaining(byOwnConnection)).isEqualTo("1");
            assertThat(remaining(byAddress)).isEqualTo("0");
            assertThat(get(byOwnConnection).status()).isEqualTo(429);
            assertThat(get(byAddress).status()).isEqualTo(429);

            redis.kill();
            assertThat(get(byOwnConnection, "X-Client: another").status())
                    .as("an in-process store stands in")
                    .isEqualTo(200);
        }
    }

    private static RunningApplication.Builder node() {
        return RunningApplication.of(Application.class, Shared.class)
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.timeout", "10s") // a busy machine is slow to start with
                .property("ratelimit.redis.secret", "c2VjcmV0IG9mIDE2IGJ5dGVzIG9yIG1vcmU=")
                .limiter("shared", 3)
                .property("ratelimit.limiters.shared.key[0]", "client-address")
                .property("ratelimit.limiters.shared.key[1]", "header:X-Client");
    }

    private static String remaining(RunningApplication node) throws Exception {
        Answer answer = get(node);
        assertThat(answer.status()).isEqualTo(200);
        return answer.values("X-RateLimit-Remaining").get(0);
    }

    private static Answer get(RunningApplication node, String... fields) throws Exception {
        return RawHttp.get(node.base(), "/shared", fields);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Shared {

        @GetMapping("/shared")
        @RateLimit("shared")
        String shared() {
            return "shared";
        }
    }
}

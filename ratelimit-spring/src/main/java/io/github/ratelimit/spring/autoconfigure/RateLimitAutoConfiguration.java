package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.RejectionBody;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Makes limiters of properties and annotations in any application, and limits the requests of one that serves any, on servlets or on WebFlux.
 * Each bean gives way to one of the application's own.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration", // 3.5
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration", // 4
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@Import({
    ServletConfiguration.class,
    ReactiveConfiguration.class,
    LimitsOnConfiguration.class,
    LimitsOffConfiguration.class
})
public final class RateLimitAutoConfiguration {

    /** Makes it. */
    public RateLimitAutoConfiguration() {}

    @Bean("io.github.ratelimit.rateLimitRejectionBody")
    @ConditionalOnMissingBean
    RejectionBody rateLimitRejectionBody(Environment environment) {
        boolean problems = environment.getProperty("spring.mvc.problemdetails.enabled", Boolean.class, false)
                || environment.getProperty("spring.webflux.problemdetails.enabled", Boolean.class, false);
        RejectionBody forClients = problems ? RejectionBody.problem() : RejectionBody.jsonOrProblem();
        return (verdict, call) -> (isBrowser(call) ? RejectionBody.application() : forClients).of(verdict, call);
    }

    /** Every browser asks for HTML first where it shows the answer to people. */
    private static boolean isBrowser(HttpCall call) {
        return call.headers("Accept").stream().anyMatch(accepted -> accepted.startsWith("text/html"));
    }
}

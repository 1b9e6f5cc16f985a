package io.github.ratelimit.spring.test;

import io.github.ratelimit.spring.autoconfigure.RateLimitActuatorAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitPostgresAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitWebFluxAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitWebMvcAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Limits requests in a test as the application does, by a clock that the test moves.
 *
 * <p>For slices ({@code @WebMvcTest}, {@code @WebFluxTest}), which leave the library's auto-configuration out otherwise, and for {@code
 * @SpringBootTest}. The application context gets two beans, both primary: a {@link io.github.ratelimit.test.TestClock}, and a store in this process
 * that counts by it, whatever {@code ratelimit.store} says. Each test begins with whole budgets; the clock goes on from where the last test left
 * it.
 *
 * <p>Not for tests that run in parallel on one application context: they share its budgets and its clock.
 *
 * @see WithoutRateLimits
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({
    RateLimitAutoConfiguration.class,
    RateLimitActuatorAutoConfiguration.class,
    RateLimitPostgresAutoConfiguration.class,
    RateLimitRedisAutoConfiguration.class,
    RateLimitWebFluxAutoConfiguration.class,
    RateLimitWebMvcAutoConfiguration.class
})
public @interface AutoConfigureRateLimit {

    /** Whether anything is limited; false is {@code ratelimit.enabled=false}: no request is limited and none gets a header field. */
    boolean enabled() default true;
}

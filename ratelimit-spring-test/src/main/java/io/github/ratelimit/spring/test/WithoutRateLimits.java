package io.github.ratelimit.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Takes nothing and rejects nothing during a test, or during all tests of a class with {@link AutoConfigureRateLimit}.
 *
 * <p>Limiters are asked as ever and header fields tell whole budgets, so the tests beside it use the same application context. For none of that
 * at all, {@code @AutoConfigureRateLimit(enabled = false)}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface WithoutRateLimits {}

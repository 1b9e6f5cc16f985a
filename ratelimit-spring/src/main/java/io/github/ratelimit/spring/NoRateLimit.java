package io.github.ratelimit.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exempts a method from the limiters of its class and of the methods that it overrides. Those of a {@link RateLimit} on the method itself hold,
 * and so do limits on its path.
 *
 * <p>Holds for overriding methods, too.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NoRateLimit {}

package io.github.ratelimit.spring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * The tests that run on each supported line of Spring Boot: one class for each auto-configuration. The usual build runs all others on the
 * newest line alone; {@code -Pfull} and {@code -Dtest=…} run all of them on 3.5, too.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("floor")
public @interface Floor {}

package io.github.ratelimit.spring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests of what Spring Boot 3.5 and 4 do by different types, names or servers. The usual build runs these on both lines, and all others on
 * Spring Boot 4 alone; {@code -Pfull} and {@code -Dtest=…} run all on both.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("lines-differ")
public @interface LinesDiffer {}

/** Tests of the Spring adapter. They run twice: on the older and on the newer line of Spring Boot. */
@NullMarked
package io.github.ratelimit.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;

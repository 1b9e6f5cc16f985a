/** Sets everything up under Spring Boot, 3.5 and 4. Nothing here is called by an application: it is configured, and replaced by beans. */
@NullMarked
package io.github.ratelimit.spring.boot;

import org.jspecify.annotations.NullMarked;

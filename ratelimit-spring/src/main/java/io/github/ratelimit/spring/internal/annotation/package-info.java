/**
 * Reads {@link io.github.ratelimit.spring.RateLimit} from controllers and from other beans, and names and describes their limiters.
 *
 * <p>The only reader of the annotation; it limits nothing.
 */
@NullMarked
package io.github.ratelimit.spring.internal.annotation;

import org.jspecify.annotations.NullMarked;

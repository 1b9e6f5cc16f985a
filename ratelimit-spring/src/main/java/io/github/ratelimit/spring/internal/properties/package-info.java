/**
 * Reads the properties below {@code ratelimit}, and makes limiters, path rules and keys of them.
 *
 * <p>Each mistake is reported by the full name of its property.
 */
@NullMarked
package io.github.ratelimit.spring.internal.properties;

import org.jspecify.annotations.NullMarked;

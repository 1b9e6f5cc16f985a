/**
 * Actuator's endpoint {@code ratelimits}: shows limiters, looks at a client's counts, changes and resets them.
 *
 * <p>Only operators use it, and nothing else depends on it.
 */
@NullMarked
package io.github.ratelimit.spring.internal.endpoint;

import org.jspecify.annotations.NullMarked;

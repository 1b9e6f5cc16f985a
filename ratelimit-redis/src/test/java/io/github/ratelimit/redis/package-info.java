/** The Redis store against real servers, which the tests start and stop by themselves. */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;

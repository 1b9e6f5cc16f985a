/** Opens the servers of the Redis module's tests to the tests of this module. */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;

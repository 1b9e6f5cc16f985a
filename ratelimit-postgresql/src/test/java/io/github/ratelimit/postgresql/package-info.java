/** The PostgreSQL store against real servers, which the tests start and stop by themselves. */
@NullMarked
package io.github.ratelimit.postgresql;

import org.jspecify.annotations.NullMarked;

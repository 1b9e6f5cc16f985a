/** The health of this server, computed for each request. */
@NullMarked
package io.github.ratelimit.content.server.health;

import org.jspecify.annotations.NullMarked;

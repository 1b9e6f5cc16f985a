/** What the health of this server depends on, asked each time that somebody wants to know. */
@NullMarked
package io.github.ratelimit.content.server.health;

import org.jspecify.annotations.NullMarked;

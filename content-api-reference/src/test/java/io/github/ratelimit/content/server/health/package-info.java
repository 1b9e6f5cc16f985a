/** Tests of what the health tells. */
@NullMarked
package io.github.ratelimit.content.server.health;

import org.jspecify.annotations.NullMarked;

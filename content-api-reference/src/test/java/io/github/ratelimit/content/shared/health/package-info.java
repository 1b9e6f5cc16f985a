/** Tests of what the health tells. */
@NullMarked
package io.github.ratelimit.content.shared.health;

import org.jspecify.annotations.NullMarked;

/** Uses of the library beyond {@code @RateLimit} and paths: wrong passwords, and limits by account. */
@NullMarked
package io.github.ratelimit.content.limits;

import org.jspecify.annotations.NullMarked;

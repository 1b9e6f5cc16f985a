/** All use of the library beyond {@code @RateLimit} and paths: guesses of passwords, and limits of accounts. */
@NullMarked
package io.github.ratelimit.content.limits;

import org.jspecify.annotations.NullMarked;

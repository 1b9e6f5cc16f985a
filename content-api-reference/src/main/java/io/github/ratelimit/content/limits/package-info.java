/** Uses of the library beyond paths and controllers: wrong passwords, and limits by account. */
@NullMarked
package io.github.ratelimit.content.limits;

import org.jspecify.annotations.NullMarked;

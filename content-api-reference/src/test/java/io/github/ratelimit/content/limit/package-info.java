/** Tests of the limits on the content interface. */
@NullMarked
package io.github.ratelimit.content.limit;

import org.jspecify.annotations.NullMarked;

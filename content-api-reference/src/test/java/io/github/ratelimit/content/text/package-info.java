/** Tests of what becomes of written text. */
@NullMarked
package io.github.ratelimit.content.text;

import org.jspecify.annotations.NullMarked;

/** Requests that are sent again. */
@NullMarked
package io.github.ratelimit.content.widget.repeat;

import org.jspecify.annotations.NullMarked;

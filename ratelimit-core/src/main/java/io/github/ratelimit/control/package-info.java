/** Changes of limiters by operators, for endpoints and other tools that make them. */
@NullMarked
package io.github.ratelimit.control;

import org.jspecify.annotations.NullMarked;

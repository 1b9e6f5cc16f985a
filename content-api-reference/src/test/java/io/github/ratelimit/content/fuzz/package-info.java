/** Sends requests that are generated from what the index document says about arguments, well-formed and hostile ones. */
@NullMarked
package io.github.ratelimit.content.fuzz;

import org.jspecify.annotations.NullMarked;

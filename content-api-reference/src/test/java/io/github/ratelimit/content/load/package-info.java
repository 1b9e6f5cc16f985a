/** Measures what a request costs the server; run by hand, see {@code docs/load.md} of this module. */
@NullMarked
package io.github.ratelimit.content.load;

import org.jspecify.annotations.NullMarked;

/**
 * Two threads on one in-process store, at the moments where they could do harm: the turn of a window, a refund or a reset beside a
 * decision, the growth of the table. Run by jcstress, which runs each pair of actors millions of times and counts what they see.
 */
@NullMarked
package io.github.ratelimit.races;

import org.jspecify.annotations.NullMarked;

/** What becomes of writes that come at the same moment. */
@NullMarked
package io.github.ratelimit.content.concurrency;

import org.jspecify.annotations.NullMarked;

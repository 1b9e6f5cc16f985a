/** What bulk sync is made of. */
@NullMarked
package io.github.ratelimit.content.sync;

import org.jspecify.annotations.NullMarked;

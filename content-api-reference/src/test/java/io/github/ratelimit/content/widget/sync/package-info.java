/** What bulk sync is made of. */
@NullMarked
package io.github.ratelimit.content.widget.sync;

import org.jspecify.annotations.NullMarked;

/**
 * Bulk sync: a site's plugin stores its documents here, and the widget's assistant answers from them.
 *
 * <p>A workspace is a site. The database holds hashes of its tokens, and its documents. A full-text index in memory follows each workspace's
 * revision number, and is built at each start.
 */
@NullMarked
package io.github.ratelimit.content.widget.sync;

import org.jspecify.annotations.NullMarked;

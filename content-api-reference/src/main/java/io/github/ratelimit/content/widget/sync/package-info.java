/**
 * Bulk sync: a content site's plugin keeps its documents here, and the widget's assistant answers from them.
 *
 * <p>A workspace is a site. Its tokens are kept as hashes. Its documents live in the database; a full-text index
 * beside it follows them, revision by revision, and is built anew after each start.
 */
@NullMarked
package io.github.ratelimit.content.widget.sync;

import org.jspecify.annotations.NullMarked;

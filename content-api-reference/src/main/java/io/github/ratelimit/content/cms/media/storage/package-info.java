/**
 * Files that were uploaded: what they are, what they are called, and how they come to lie on disk whole or not at all.
 *
 * <p>A file is received beside the others, forced to disk and moved to its place in one step; whoever commits a row that
 * names it does so afterwards. What no row names is swept away later.
 */
@NullMarked
package io.github.ratelimit.content.cms.media.storage;

import org.jspecify.annotations.NullMarked;

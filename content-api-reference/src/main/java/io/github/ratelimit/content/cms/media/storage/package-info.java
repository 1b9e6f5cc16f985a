/**
 * Storage of uploaded files: their type, their name, and their place on disk.
 *
 * <p>A file is received in a folder of its own, forced to disk and moved to its place in one step. Its row is committed afterwards. An hourly
 * task removes files without a row.
 */
@NullMarked
package io.github.ratelimit.content.cms.media.storage;

import org.jspecify.annotations.NullMarked;

/**
 * Pictures: their size, their metadata, their smaller sizes and their edits.
 *
 * <p>The pixels of a file are counted before it is decoded, and one picture is decoded at a time.
 */
@NullMarked
package io.github.ratelimit.content.cms.media.image;

import org.jspecify.annotations.NullMarked;

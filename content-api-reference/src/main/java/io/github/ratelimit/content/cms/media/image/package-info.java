/**
 * Pictures: what a file really is, whether it may be decoded, its sub-sizes and its edits.
 *
 * <p>Nothing here trusts a name or a declared type. {@link io.github.ratelimit.content.cms.media.image.ImageHeaders} walks a
 * file's own structure and refuses what would cost too much before anything is decoded; {@link
 * io.github.ratelimit.content.cms.media.image.Pictures} decodes at most two at a time.
 */
@NullMarked
package io.github.ratelimit.content.cms.media.image;

import org.jspecify.annotations.NullMarked;

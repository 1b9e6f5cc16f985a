/**
 * Uploaded files: taking them in, showing them, editing pictures, and handing the files out.
 *
 * <p>{@link io.github.ratelimit.content.cms.media.Media} is what other features ask. The files themselves are the concern of
 * {@link io.github.ratelimit.content.cms.media.storage}, pictures that of {@link io.github.ratelimit.content.cms.media.image}; what
 * a file has in common with posts and pages is that of {@code content.item}.
 */
@NullMarked
package io.github.ratelimit.content.cms.media;

import org.jspecify.annotations.NullMarked;

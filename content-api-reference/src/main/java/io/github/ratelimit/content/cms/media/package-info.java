/**
 * Uploaded files: routes that take, show and edit them, and the addresses that serve them.
 *
 * <p>{@link io.github.ratelimit.content.cms.media.storage} stores the files, and {@link io.github.ratelimit.content.cms.media.image} works on pictures.
 * {@link io.github.ratelimit.content.cms.item} contains everything that files share with posts and pages.
 */
@NullMarked
package io.github.ratelimit.content.cms.media;

import org.jspecify.annotations.NullMarked;

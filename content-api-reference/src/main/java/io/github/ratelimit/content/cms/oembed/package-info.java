/**
 * Descriptions of pages, for other pages that show them: own ones for others, and foreign ones for our authors.
 *
 * <p>{@link io.github.ratelimit.content.cms.oembed.ForeignEmbeds} fetches through {@link io.github.ratelimit.content.server.fetch}
 * alone. Nothing that a foreign server sends is passed on as it came: every field is read, checked and written anew, and
 * its frame is rebuilt with a sandbox around it.
 */
@NullMarked
package io.github.ratelimit.content.cms.oembed;

import org.jspecify.annotations.NullMarked;

/**
 * Descriptions of pages for embedding: our pages for other sites, and foreign pages for our authors.
 *
 * <p>{@link io.github.ratelimit.content.cms.oembed.ForeignEmbeds} fetches only through {@link io.github.ratelimit.content.server.fetch}. It checks
 * every field of a foreign server and writes it anew, with its frame in a sandbox.
 */
@NullMarked
package io.github.ratelimit.content.cms.oembed;

import org.jspecify.annotations.NullMarked;

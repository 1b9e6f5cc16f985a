/**
 * The visitor widget: conversations, and the data that visitors leave in them.
 *
 * <p>{@code init} issues a signed token to each visitor. An {@link io.github.ratelimit.content.widget.Assistant} answers messages. The built-in
 * one quotes the documents that the site has synced.
 */
@NullMarked
package io.github.ratelimit.content.widget;

import org.jspecify.annotations.NullMarked;

/**
 * The visitor widget: conversations, and what visitors leave behind in them.
 *
 * <p>A visitor proves who he is by a signed token that {@code init} hands out. Messages are answered by an
 * {@link io.github.ratelimit.content.widget.Assistant}; the one that is built in answers from the documents that the
 * site has synced.
 */
@NullMarked
package io.github.ratelimit.content.widget;

import org.jspecify.annotations.NullMarked;

/**
 * What posts, pages and uploaded files have in common: how they are stored, listed, shown, written, thrown away, and who
 * may do that.
 *
 * <p>A type of item is declared as routes of its own that name what differs. {@link
 * io.github.ratelimit.content.cms.item.ItemFields} says what can be written, {@link
 * io.github.ratelimit.content.cms.item.ItemFilters} what lists can be asked for, {@link
 * io.github.ratelimit.content.cms.item.ItemAccess} who may, {@link io.github.ratelimit.content.cms.item.ItemWriter} what writing
 * does, and {@link io.github.ratelimit.content.cms.item.ItemView} what an answer looks like.
 */
@NullMarked
package io.github.ratelimit.content.cms.item;

import org.jspecify.annotations.NullMarked;

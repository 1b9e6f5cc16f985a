/**
 * Posts, pages and uploaded files: storage, lists, answers, writes and permissions.
 *
 * <ul>
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemType} declares a type of items.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemFields} declares the members that can be shown and written.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemFilters} declares the filters of lists.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemFinder} finds items and says who may read them.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemPermissions} says who may write them.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemWriter} writes, one transaction for each write.
 *   <li>{@link io.github.ratelimit.content.cms.item.ItemView} makes answers.
 * </ul>
 */
@NullMarked
package io.github.ratelimit.content.cms.item;

import org.jspecify.annotations.NullMarked;

package io.github.ratelimit.content.item;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a list of items is asked for: conditions, an order, and a page.
 *
 * <p>Made of typed values only: a status is one of an enum, an order is one of an enum, everything else is bound. Belongs
 * to one thread; each method changes the query and returns it.
 */
public final class ItemQuery {
    /** What a list can be ordered by. */
    public enum OrderBy {
        /** The author's id. */
        AUTHOR("author_id"),
        /** The moment of publication. */
        DATE("published_at"),
        /** The id. */
        ID("id"),
        /** The order of {@code include}. */
        INCLUDE(""),
        /** The moment of the last write. */
        MODIFIED("modified_at"),
        /** The id of what an item stands below. */
        PARENT("parent_id"),
        /** How well the search fits. */
        RELEVANCE(""),
        /** The slug. */
        SLUG("slug_order"),
        /** The order of {@code slug}. */
        INCLUDE_SLUGS(""),
        /** The title. */
        TITLE("title_order"),
        /** The place among siblings. */
        MENU_ORDER("menu_order");

        private final String sql;

        OrderBy(String sql) {
            this.sql = sql;
        }
    }

    private final List<String> conditions = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();
    private OrderBy orderBy = OrderBy.DATE;
    private boolean ascending;
    private Map<Object, Integer> givenPlaces = Map.of();
    private @Nullable Search search;
    private long offset;
    private long limit = 10;

    private ItemQuery() {}

    /**
     * Asks for items of a type.
     *
     * @param type what they must be
     * @return all of them, newest first
     */
    public static ItemQuery of(ItemType type) {
        return new ItemQuery().where("kind = ?", type.wireName());
    }

    /**
     * Makes an independent copy.
     *
     * @return with the same conditions, order and page
     */
    public ItemQuery copy() {
        ItemQuery copy = new ItemQuery();
        copy.conditions.addAll(conditions);
        copy.values.addAll(values);
        copy.orderBy = orderBy;
        copy.ascending = ascending;
        copy.givenPlaces = givenPlaces;
        copy.search = search;
        copy.offset = offset;
        copy.limit = limit;
        return copy;
    }

    /**
     * Adds a condition that the others do not know, such as one on a table of its own.
     *
     * @param sql constant text with a mark for each value
     * @param bound the values
     * @return this
     */
    public ItemQuery where(String sql, Object... bound) {
        conditions.add(sql);
        values.addAll(List.of(bound));
        return this;
    }

    /**
     * Restricts the status.
     *
     * @param statuses the allowed ones
     * @return this
     */
    public ItemQuery withStatus(Collection<ItemStatus> statuses) {
        if (statuses.size() == 1) {
            return where("status = ?", statuses.iterator().next().wireName());
        }
        return where("status = any (?)", (Object)
                statuses.stream().map(ItemStatus::wireName).toArray(String[]::new));
    }

    /**
     * Restricts a column to some ids; none at all restrict nothing.
     *
     * @param column {@code id}, {@code author_id} or {@code parent_id}
     * @param ids the allowed ones
     * @return this
     */
    ItemQuery in(String column, Collection<Long> ids) {
        return ids.isEmpty() ? this : where(column + " = any (?)", (Object) ids.toArray(Long[]::new));
    }

    /**
     * Keeps some ids out of a column; none at all restrict nothing.
     *
     * @param column {@code id}, {@code author_id} or {@code parent_id}
     * @param ids the forbidden ones
     * @return this
     */
    ItemQuery notIn(String column, Collection<Long> ids) {
        return ids.isEmpty() ? this : where("not (" + column + " = any (?))", (Object) ids.toArray(Long[]::new));
    }

    /**
     * Restricts the slug; none at all restrict nothing.
     *
     * @param slugs the allowed ones
     * @return this
     */
    ItemQuery named(Collection<String> slugs) {
        return slugs.isEmpty() ? this : where("slug = any (?)", (Object) slugs.toArray(String[]::new));
    }

    /**
     * Restricts a moment.
     *
     * @param column {@code published_at} or {@code modified_at}
     * @param comparison {@code <} or {@code >}
     * @param moment excluded
     * @return this
     */
    ItemQuery when(String column, String comparison, Instant moment) {
        return where(column + " " + comparison + " ?", moment.atOffset(ZoneOffset.UTC));
    }

    /**
     * Keeps items that a text is found in.
     *
     * @param wanted what to look for
     * @return this
     */
    ItemQuery matching(Search wanted) {
        this.search = wanted;
        conditions.add(wanted.condition());
        values.addAll(wanted.conditionValues());
        return this;
    }

    /**
     * Sets the order.
     *
     * @param by what decides
     * @param isAscending smallest first
     * @return this
     */
    public ItemQuery orderBy(OrderBy by, boolean isAscending) {
        this.orderBy = by;
        this.ascending = isAscending;
        return this;
    }

    /**
     * Sets an order that the caller gave.
     *
     * @param by {@link OrderBy#INCLUDE} or {@link OrderBy#INCLUDE_SLUGS}
     * @param keys ids or slugs, first come first
     * @return this
     */
    ItemQuery orderAsGiven(OrderBy by, Collection<?> keys) {
        this.orderBy = by;
        Map<Object, Integer> places = new HashMap<>();
        keys.forEach(key -> places.putIfAbsent(key, places.size()));
        this.givenPlaces = places;
        return this;
    }

    /**
     * Sets the page.
     *
     * @param skip how many items come before it
     * @param most how many items are on it
     * @return this
     */
    public ItemQuery page(long skip, long most) {
        this.offset = skip;
        this.limit = most;
        return this;
    }

    String condition() {
        return String.join(" and ", conditions);
    }

    List<@Nullable Object> values() {
        return new ArrayList<>(values);
    }

    boolean hasGivenOrder() {
        return orderBy == OrderBy.INCLUDE || orderBy == OrderBy.INCLUDE_SLUGS;
    }

    int givenPlace(long id, String slug) {
        Object key = orderBy == OrderBy.INCLUDE ? id : slug;
        return givenPlaces.getOrDefault(key, Integer.MAX_VALUE);
    }

    String order() {
        String direction = ascending ? " asc" : " desc";
        if (orderBy == OrderBy.RELEVANCE) {
            // The newest first among those that fit alike, whatever the direction.
            return (search == null ? "" : search.order() + ", ") + "published_at desc, id desc";
        }
        // Equal ones need some order, or pages would overlap.
        return orderBy == OrderBy.ID ? "id" + direction : orderBy.sql + direction + ", id" + direction;
    }

    List<@Nullable Object> orderValues() {
        return orderBy == OrderBy.RELEVANCE && search != null ? search.orderValues() : List.of();
    }

    long offset() {
        return offset;
    }

    long limit() {
        return limit;
    }

    /**
     * Takes the meaning from characters that stand for others in patterns.
     *
     * @param text to be found as it is
     * @return for {@code like … escape '!'}
     */
    static String escape(String text) {
        return text.chars()
                .mapToObj(c -> c == '%' || c == '_' || c == '!' ? "!" + (char) c : String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}

package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a list of items asks for, as conditions and an order of SQL. Made for one list; not safe for concurrent use. */
public final class ItemQuery {
    /** What a list is ordered by. */
    public enum OrderBy {
        /** The number of the account. */
        AUTHOR("author_id"),
        /** The moment of publication. */
        DATE("published_at"),
        /** The number. */
        ID("id"),
        /** As the ids are named. */
        INCLUDE("published_at"),
        /** The moment of the last write. */
        MODIFIED("modified_at"),
        /** The number of the item above. */
        PARENT("parent_id"),
        /** How well a search fits. */
        RELEVANCE("published_at"),
        /** The slug. */
        SLUG("slug_order"),
        /** As the slugs are named. */
        INCLUDE_SLUGS("published_at"),
        /** The title. */
        TITLE("title_order"),
        /** The place among siblings. */
        MENU_ORDER("menu_order");

        private final String column;

        OrderBy(String column) {
            this.column = column;
        }
    }

    private static final SqlCondition NONE = new SqlCondition("");

    private static final String TEXTS = " join item_text on item_text.item_id = item.id";

    private final ItemType type;
    private final List<SqlCondition> conditions = new ArrayList<>();
    private List<String> statuses = List.of();
    private List<SqlCondition> rules = List.of();
    private SqlCondition first = NONE;
    private SqlCondition given = NONE;
    private OrderBy orderBy = OrderBy.DATE;
    private boolean isAscending;
    private boolean isStrangers;
    private boolean isOfTexts;
    private long offset;
    private long limit = 10;
    private Set<ItemColumn> texts = ItemColumn.READ_TEXTS;
    private @Nullable LongConsumer room;

    private ItemQuery(ItemType type) {
        this.type = type;
    }

    /**
     * Asks for items of a type, newest first, of any status.
     *
     * @param type of all of them
     * @return a page of ten
     */
    public static ItemQuery of(ItemType type) {
        return new ItemQuery(type);
    }

    /**
     * Adds a condition.
     *
     * @param sql constant text with a mark for each value
     * @param values in the order of the marks
     * @return this
     */
    public ItemQuery where(String sql, Object... values) {
        return where(new SqlCondition(sql, values));
    }

    /**
     * Adds a condition.
     *
     * @param condition on a row of items
     * @return this
     */
    public ItemQuery where(SqlCondition condition) {
        conditions.add(condition);
        return this;
    }

    /**
     * Asks for items of one account.
     *
     * @param author its id
     * @return this
     */
    public ItemQuery by(long author) {
        return where("author_id = ?", author);
    }

    /**
     * Asks for items of one of these statuses.
     *
     * @param allowed none means any
     * @return this
     */
    public ItemQuery withStatus(Collection<ItemStatus> allowed) {
        statuses = allowed.stream().map(ItemStatus::wireName).toList();
        return this;
    }

    /** Lets conditions and the order name columns of the texts. */
    ItemQuery ofTexts() {
        isOfTexts = true;
        return this;
    }

    /** Leaves out what the caller may not read. To be called once the statuses are known. */
    ItemQuery readableBy(Caller caller) {
        ReadingRule rule = new ReadingRule(caller);
        Set<ItemStatus> asked =
                statuses.stream().flatMap(name -> ItemStatus.of(name).stream()).collect(Collectors.toSet());
        if (type == ItemType.ATTACHMENT && asked.contains(ItemStatus.INHERIT)) {
            // A condition like any other: no status names these.
            rule.ofFiles().ifPresent(this::where);
        }
        rules = rule.ofItems(type.capabilities(), asked).stream().toList();
        isStrangers = caller.isAnonymous();
        return this;
    }

    /**
     * Orders the list.
     *
     * @param by what decides; the id decides between equal ones
     * @param ascending whether the least comes first
     * @return this
     */
    public ItemQuery orderBy(OrderBy by, boolean ascending) {
        this.orderBy = by;
        this.isAscending = ascending;
        return this;
    }

    /** Sorts by a number first, the least before others, whatever the direction of the order. */
    ItemQuery first(SqlCondition rank) {
        this.first = rank;
        return this;
    }

    /** Orders by the place in a list of ids or slugs, which the conditions name as well. */
    ItemQuery orderAsGiven(SqlCondition list) {
        this.given = list;
        return this;
    }

    /**
     * Asks for one page.
     *
     * @param skip how many come before it
     * @param most how many it has at most
     * @return this
     */
    public ItemQuery page(long skip, long most) {
        this.offset = skip;
        this.limit = most;
        return this;
    }

    /** Tells whether the answer is one for strangers, whose totals may be some seconds old. */
    boolean isStrangers() {
        return isStrangers;
    }

    /** Counts all items. Without a condition of the caller, the total includes hidden items. Clients rely on it. */
    SqlCondition count() {
        return select("count(*)", !conditions.isEmpty(), "", List.of());
    }

    /** Selects the ids of the page, in its order. */
    SqlCondition ids() {
        List<Object> values = new ArrayList<>(first.values());
        values.add(offset);
        values.add(limit);
        return select("id", true, " order by " + order() + " offset ? rows fetch first ? rows only", values);
    }

    private SqlCondition select(String columns, boolean isReadable, String end, List<Object> more) {
        SqlCondition all = condition(isReadable);
        List<Object> values = new ArrayList<>(given.values());
        values.addAll(all.values());
        values.addAll(more);
        return new SqlCondition(
                "select " + columns + " from item" + (isOfTexts ? TEXTS : "") + given.sql() + " where " + all.sql()
                        + end,
                values);
    }

    private String order() {
        if (!given.values().isEmpty()) {
            return "given.place";
        }
        String direction = isAscending ? " asc" : " desc";
        StringBuilder order = new StringBuilder();
        if (!first.values().isEmpty()) {
            order.append(first.sql()).append(", ");
        }
        if (statuses.size() == 1 && first.values().isEmpty()) {
            // They are equal everywhere: named, H2 reads an index in its order, and backwards.
            order.append("kind")
                    .append(direction)
                    .append(", status")
                    .append(direction)
                    .append(", ");
        }
        order.append(orderBy.column).append(direction);
        if (orderBy == OrderBy.ID) {
            return order.toString();
        }
        // Of items in the same place the newest comes first, as usual; the other direction is the same list backwards.
        boolean isIdAscending = isAscending != (orderBy == OrderBy.MENU_ORDER);
        return order.append(isIdAscending ? ", id asc" : ", id desc").toString();
    }

    private SqlCondition condition(boolean isReadable) {
        List<SqlCondition> all = new ArrayList<>();
        all.add(new SqlCondition("kind = ?", type.wireName()));
        if (statuses.size() == 1) {
            all.add(new SqlCondition("status = ?", statuses.get(0)));
        } else if (!statuses.isEmpty()) {
            all.add(SqlCondition.isOneOfTexts("status", statuses));
        }
        all.addAll(conditions);
        all.addAll(isReadable ? rules : List.of());
        return SqlCondition.allOf(all);
    }

    /**
     * Reads some texts alone.
     *
     * @param wanted their columns; the other texts of each item are empty
     * @return this
     */
    ItemQuery reading(Set<ItemColumn> wanted) {
        this.texts = wanted;
        return this;
    }

    /**
     * Asks for room before the texts are read.
     *
     * @param forCharacters gets the characters of all of them together
     * @return this
     */
    public ItemQuery within(LongConsumer forCharacters) {
        this.room = forCharacters;
        return this;
    }

    Set<ItemColumn> texts() {
        return texts;
    }

    @Nullable
    LongConsumer room() {
        return room;
    }

    boolean isOfTexts() {
        return isOfTexts;
    }

    long limit() {
        return limit;
    }

    long offset() {
        return offset;
    }
}

package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
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
        AUTHOR(IndexedColumn.AUTHOR_ID),
        /** The moment of publication. */
        DATE(IndexedColumn.PUBLISHED_AT),
        /** The id. */
        ID(IndexedColumn.ID),
        /** The order of {@code include}. */
        INCLUDE(IndexedColumn.PUBLISHED_AT),
        /** The moment of the last write. */
        MODIFIED(IndexedColumn.MODIFIED_AT),
        /** The id of what an item stands below. */
        PARENT(IndexedColumn.PARENT_ID),
        /** How well the search fits. */
        RELEVANCE(IndexedColumn.PUBLISHED_AT),
        /** The slug. */
        SLUG(IndexedColumn.SLUG_ORDER),
        /** The order of {@code slug}. */
        INCLUDE_SLUGS(IndexedColumn.PUBLISHED_AT),
        /** The title. */
        TITLE(IndexedColumn.TITLE_ORDER),
        /** The place among siblings. */
        MENU_ORDER(IndexedColumn.MENU_ORDER);

        private final IndexedColumn column;

        /** Where a column alone does not decide, it sorts those that are alike. */
        OrderBy(IndexedColumn column) {
            this.column = column;
        }
    }

    /** Chosen: so many rows are sorted faster than an index is walked to find few among many. */
    static final int FEW = 1_000;

    private final String type;
    private final List<String> statuses = new ArrayList<>();
    private final List<Condition> conditions = new ArrayList<>();
    private final List<Condition> rules = new ArrayList<>();
    private OrderBy orderBy = OrderBy.DATE;
    private boolean ascending;
    private Map<Object, Integer> givenPlaces = Map.of();
    private List<Condition> fit = List.of();
    private boolean isOfFiles;
    private long offset;
    private long limit = 10;

    /** Tells of what type everything is that is found. */
    ItemType type() {
        return ItemType.of(type);
    }

    private ItemQuery(String type) {
        this.type = type;
    }

    /**
     * A statement.
     *
     * @param text with a mark for each value
     * @param values in the order of the marks
     */
    record Sql(String text, List<@Nullable Object> values) {}

    /**
     * Asks for items of a type.
     *
     * @param type what they must be
     * @return all of them, newest first
     */
    public static ItemQuery of(ItemType type) {
        ItemQuery query = new ItemQuery(type.wireName());
        query.isOfFiles = type == ItemType.ATTACHMENT;
        return query;
    }

    /**
     * Adds a condition that only the database can tell.
     *
     * @param sql constant text with a mark for each value
     * @param bound the values
     * @return this
     */
    public ItemQuery where(String sql, Object... bound) {
        return where(Condition.inDatabase(sql, bound));
    }

    /**
     * Adds a condition.
     *
     * @param condition from an {@link IndexedColumn}, for example
     * @return this
     */
    public ItemQuery where(Condition condition) {
        conditions.add(condition);
        return this;
    }

    /**
     * Keeps items of an account.
     *
     * @param author its id
     * @return this
     */
    public ItemQuery by(long author) {
        return where(IndexedColumn.AUTHOR_ID.among(List.of(author)));
    }

    /** Keeps what everybody sees, and what only its author does. */
    ItemQuery publishedOrOwn(long account) {
        Condition own =
                Condition.allOf(List.of(isOf(ItemStatus.PRIVATE), IndexedColumn.AUTHOR_ID.among(List.of(account))));
        return where(Condition.anyOf(List.of(isOf(ItemStatus.PUBLISH), own)));
    }

    private static Condition isOf(ItemStatus status) {
        return IndexedColumn.STATUS.isOneOf(List.of(status.wireName()));
    }

    /**
     * Restricts the status.
     *
     * @param allowed the allowed ones, at least one
     * @return this
     */
    public ItemQuery withStatus(Collection<ItemStatus> allowed) {
        this.statuses.clear();
        allowed.forEach(status -> statuses.add(status.wireName()));
        return this;
    }

    /**
     * Keeps to what a caller may read. The total counts more only where nothing but a status is asked for, as clients of
     * this interface know it: that tells how many there are. With any other condition it would tell what they say.
     *
     * @param caller who asks; after the statuses were set
     * @param filesOf finds the ids of the files that belong to others
     * @return this
     */
    ItemQuery readableBy(Caller caller, Function<Condition, List<Long>> filesOf) {
        ReadingRule rule = ReadingRule.of(caller);
        Set<ItemStatus> asked =
                statuses.stream().flatMap(name -> ItemStatus.of(name).stream()).collect(Collectors.toSet());
        if (isOfFiles && asked.contains(ItemStatus.INHERIT)) {
            // A condition like any other: no status names these.
            rule.hiddenOwners()
                    .map(filesOf)
                    .filter(hidden -> !hidden.isEmpty())
                    .ifPresent(hidden -> where(IndexedColumn.ID.among(hidden).negated()));
        }
        rule.ofItems(ItemType.of(type).capabilities(), asked).ifPresent(rules::add);
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
     * Sets an order that a search gives.
     *
     * @param steps the best first: what fulfils one comes before what does not
     * @param isAscending the oldest first among those that fit alike
     * @return this
     */
    ItemQuery orderByFit(List<Condition> steps, boolean isAscending) {
        this.fit = steps;
        return orderBy(OrderBy.RELEVANCE, isAscending);
    }

    /**
     * Sets an order that the caller gave, among items that the caller named: none at all are no order.
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

    boolean hasGivenOrder() {
        return !givenPlaces.isEmpty();
    }

    int givenPlace(long id, String slug) {
        Object key = orderBy == OrderBy.INCLUDE ? id : slug;
        return givenPlaces.getOrDefault(key, Integer.MAX_VALUE);
    }

    /** Counts everything that is asked for, whatever the page. */
    Sql count() {
        boolean isNarrowed = !conditions.isEmpty();
        return new Sql("select count(*) from item where " + condition(isNarrowed), values(isNarrowed));
    }

    /** Finds the keys of everything that is asked for, in no order. */
    Sql keys() {
        return new Sql("select id, slug from item where " + condition(true), values(true));
    }

    /**
     * Finds the ids of one page.
     *
     * <p>The order names the columns of an index from the first one on, as databases need to read a page without sorting.
     * Several statuses are several ranges of that index: each gives its first ones, and only these are sorted.
     *
     * @param total how many items the conditions select, as far as that is known
     */
    Sql page(long total) {
        if (orderBy == OrderBy.RELEVANCE) {
            return relevant();
        }
        if (statuses.size() < 2) {
            List<@Nullable Object> bound = new ArrayList<>();
            String text = "select id from item where " + range(bound, statuses, total) + orderIn(statuses);
            return paged(text, bound);
        }
        List<@Nullable Object> bound = new ArrayList<>();
        List<String> ranges = new ArrayList<>();
        for (String status : statuses) {
            List<String> only = List.of(status);
            ranges.add("(select id, " + column() + " as place from item where " + range(bound, only, total)
                    + orderIn(only) + " fetch first ? rows only)");
            bound.add(offset > Long.MAX_VALUE - limit ? Long.MAX_VALUE : offset + limit);
        }
        String direction = direction();
        return paged(
                "select id from (" + String.join(" union all ", ranges) + ") found order by place" + direction + ", id"
                        + direction,
                bound);
    }

    private Sql relevant() {
        List<@Nullable Object> bound = values(true);
        StringBuilder order = new StringBuilder();
        for (int place = 0; place < fit.size(); place++) {
            order.append(place == 0 ? "case" : "")
                    .append(" when ")
                    .append(fit.get(place).sql())
                    .append(" then ")
                    .append(place)
                    .append(place == fit.size() - 1 ? " else " + fit.size() + " end, " : "");
            bound.addAll(fit.get(place).values());
        }
        // The best first whatever the direction, which sorts those that fit alike.
        String last = "published_at" + direction() + ", id" + direction();
        return paged("select id from item where " + condition(true) + " order by " + order + last, bound);
    }

    private Sql paged(String text, List<@Nullable Object> bound) {
        bound.add(offset);
        bound.add(limit);
        return new Sql(text + " offset ? rows fetch first ? rows only", bound);
    }

    private String column() {
        return orderBy.column.field();
    }

    private String direction() {
        return ascending ? " asc" : " desc";
    }

    private String orderIn(List<String> within) {
        String direction = direction();
        String prefix = within.isEmpty() ? "" : "kind" + direction + ", status" + direction + ", ";
        // Equal ones need some order, or pages would overlap.
        String last = orderBy == OrderBy.ID ? "" : ", id" + direction;
        return " order by " + prefix + column() + direction + last;
    }

    /** Selects what the conditions select among items of one status, or of any where none is named. */
    private String range(List<@Nullable Object> bound, List<String> within, long total) {
        bound.addAll(named());
        bound.add(type);
        bound.addAll(within);
        conditions.forEach(condition -> bound.addAll(condition.values()));
        rules.forEach(rule -> bound.addAll(rule.values()));
        String range = within.isEmpty() ? "kind = ?" : "kind = ? and status = ?";
        if (conditions.isEmpty() && rules.isEmpty()) {
            return range;
        }
        String all = Stream.concat(conditions.stream(), rules.stream())
                .map(Condition::sql)
                .collect(Collectors.joining(" and "));
        // Where most items fit, the page is found soonest by walking in its order. The database would rather look
        // for all that fit and sort them; a condition that it cannot look for leaves it no choice.
        boolean isWalked = total > FEW && offset + limit <= total / 4;
        return ofNamed(range + " and " + (isWalked ? later(all) : all));
    }

    /** Has a condition looked at behind all others: no way to the items is found by it. */
    private static String later(String condition) {
        return "case when " + condition + " then true else false end";
    }

    /** Lets the database begin with the items that are named: it would rather go by kind and status, which most have. */
    private String ofNamed(String condition) {
        return naming().map(few -> few.sql() + " and " + later(condition)).orElse(condition);
    }

    private List<@Nullable Object> named() {
        return naming().map(Condition::values).orElse(List.of());
    }

    /** The condition that names the fewest items, whatever the others say. */
    private Optional<Condition> naming() {
        return conditions.stream()
                .filter(condition -> condition.few().isPresent())
                .min(Comparator.comparing(condition -> condition.few().orElseThrow()));
    }

    private String condition(boolean isReadable) {
        List<String> all = new ArrayList<>(List.of("kind = ?"));
        if (!statuses.isEmpty()) {
            all.add(statuses.size() == 1 ? "status = ?" : "status = any (?)");
        }
        conditions.forEach(condition -> all.add(condition.sql()));
        if (isReadable) {
            rules.forEach(rule -> all.add(rule.sql()));
        }
        return ofNamed(String.join(" and ", all));
    }

    private List<@Nullable Object> values(boolean isReadable) {
        List<@Nullable Object> all = new ArrayList<>(named());
        all.add(type);
        if (!statuses.isEmpty()) {
            all.add(statuses.size() == 1 ? statuses.get(0) : statuses.toArray(String[]::new));
        }
        conditions.forEach(condition -> all.addAll(condition.values()));
        if (isReadable) {
            rules.forEach(rule -> all.addAll(rule.values()));
        }
        return all;
    }

    /**
     * A query as the index is asked.
     *
     * @param counted what all pages have
     * @param parts what can be on a page; all of one come before all of the next
     * @param order within each part; ends with the id
     */
    record Indexed(Query counted, List<Query> parts, Sort order) {}

    /** Asks the index; empty where only the database can tell. */
    Optional<Indexed> indexed() {
        Optional<List<Query>> wanted = Condition.queries(conditions);
        Optional<List<Query>> readable = Condition.queries(rules);
        if (type.equals(ItemType.REVISION.wireName()) || hasGivenOrder() || wanted.isEmpty() || readable.isEmpty()) {
            return Optional.empty();
        }
        Query ofStatus = ItemTerms.isListed(type, statuses);
        List<Query> all = new ArrayList<>(List.of(ofStatus));
        all.addAll(wanted.get());
        all.addAll(readable.get());
        Query found = ItemTerms.all(all);
        return parts(found).map(parts -> new Indexed(conditions.isEmpty() ? ofStatus : found, parts, indexedOrder()));
    }

    private Optional<List<Query>> parts(Query found) {
        return Condition.queries(fit).map(steps -> {
            List<Query> parts = new ArrayList<>();
            Query rest = found;
            for (Query step : steps) {
                parts.add(ItemTerms.all(List.of(rest, step)));
                rest = ItemTerms.all(List.of(rest, ItemTerms.not(step)));
            }
            parts.add(rest);
            return parts;
        });
    }

    private Sort indexedOrder() {
        return new Sort(orderBy.column.order(ascending), IndexedColumn.ID.order(ascending));
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

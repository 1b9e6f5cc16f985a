package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
import org.apache.lucene.search.SortField;
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

    /** Chosen: so many rows are sorted faster than an index is walked to find few among many. */
    static final int FEW = 1_000;

    private final String type;
    private final List<String> statuses = new ArrayList<>();
    private final List<Condition> conditions = new ArrayList<>();
    private final List<Condition> rules = new ArrayList<>();
    private OrderBy orderBy = OrderBy.DATE;
    private boolean ascending;
    private Map<Object, Integer> givenPlaces = Map.of();
    /** The one that names items, or authors: few fit, whatever the others say. */
    private @Nullable Condition naming;

    private @Nullable Search search;
    private boolean isOfFiles;
    private long offset;
    private long limit = 10;

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
     * Makes an independent copy.
     *
     * @return with the same conditions, order and page
     */
    public ItemQuery copy() {
        ItemQuery copy = new ItemQuery(type);
        copy.statuses.addAll(statuses);
        copy.conditions.addAll(conditions);
        copy.rules.addAll(rules);
        copy.orderBy = orderBy;
        copy.ascending = ascending;
        copy.givenPlaces = givenPlaces;
        copy.naming = naming;
        copy.search = search;
        copy.isOfFiles = isOfFiles;
        copy.offset = offset;
        copy.limit = limit;
        return copy;
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

    ItemQuery where(Condition condition) {
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
        return in(ItemTerms.AUTHOR, List.of(author));
    }

    /**
     * Keeps files of some media types.
     *
     * @param types at least one
     * @return this
     */
    public ItemQuery ofMediaTypes(Collection<String> types) {
        return where(Condition.of(ItemTerms.isOneOf(ItemTerms.MIME_TYPE, types), "mime_type = any (?)", (Object)
                types.toArray(String[]::new)));
    }

    ItemQuery placedAt(long menuOrder) {
        return where(Condition.of(
                ItemTerms.isOneOf(ItemTerms.MENU_ORDER, absolute(menuOrder)), "menu_order = ?", absolute(menuOrder)));
    }

    ItemQuery sticky(boolean isSticky) {
        Query sticky = ItemTerms.is(ItemTerms.STICKY, ItemTerms.SET);
        return where(Condition.of(isSticky ? sticky : ItemTerms.not(sticky), "sticky = ?", isSticky));
    }

    /** Keeps what everybody sees, and what only its author does. */
    ItemQuery publishedOrOwn(long account) {
        Query own = ItemTerms.all(List.of(
                ItemTerms.is(ItemTerms.STATUS, ItemStatus.PRIVATE.wireName()),
                ItemTerms.isOneOf(ItemTerms.AUTHOR, account)));
        Query published = ItemTerms.is(ItemTerms.STATUS, ItemStatus.PUBLISH.wireName());
        return where(Condition.of(
                ItemTerms.any(List.of(published, own)),
                "(status = 'publish' or (status = 'private' and author_id = ?))",
                account));
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
            rule.hiddenOwners().ifPresent(owners -> notIn("id", filesOf.apply(owners)));
        }
        rule.ofItems(ItemType.of(type).kind(), asked).ifPresent(rules::add);
        return this;
    }

    /**
     * Restricts a column to some ids; none at all restrict nothing.
     *
     * @param column {@code id}, {@code author_id} or {@code parent_id}
     * @param ids the allowed ones
     * @return this
     */
    ItemQuery in(String column, Collection<Long> ids) {
        if (ids.isEmpty()) {
            return this;
        }
        Condition named = column.equals("id") && ids.size() > 1
                ? new Condition(
                        ItemStore.KNOWN,
                        List.of((Object) bound(ids)),
                        isOneOf(column, ids).indexed())
                : isOneOf(column, ids);
        boolean isFew = column.equals("id") || (column.equals("author_id") && naming == null);
        return isFew ? whereNamed(named) : where(named);
    }

    private ItemQuery whereNamed(Condition condition) {
        naming = condition;
        return where(condition);
    }

    /**
     * Keeps some ids out of a column; none at all restrict nothing.
     *
     * @param column {@code id}, {@code author_id} or {@code parent_id}
     * @param ids the forbidden ones
     * @return this
     */
    ItemQuery notIn(String column, Collection<Long> ids) {
        return ids.isEmpty() ? this : where(isOneOf(column, ids).negated());
    }

    private static Condition isOneOf(String column, Collection<Long> ids) {
        Long[] bound = bound(ids);
        Query indexed = column.equals(ItemTerms.ID)
                ? ItemTerms.isOneOf(
                        column, Arrays.stream(bound).map(String::valueOf).toList())
                : ItemTerms.isOneOf(column, bound);
        return bound.length == 1
                ? Condition.of(indexed, column + " = ?", bound[0])
                : Condition.of(indexed, column + " = any (?)", (Object) bound);
    }

    /** No id is negative: the sign of one that was sent is not looked at. */
    private static Long[] bound(Collection<Long> ids) {
        return ids.stream().map(ItemQuery::absolute).toArray(Long[]::new);
    }

    /**
     * Leaves out a sign.
     *
     * @param number any, also the smallest one
     * @return 0 or more
     */
    static long absolute(long number) {
        return Math.abs(Math.max(number, -Long.MAX_VALUE));
    }

    /**
     * Restricts the slug; none at all restrict nothing.
     *
     * @param slugs the allowed ones
     * @return this
     */
    ItemQuery named(Collection<String> slugs) {
        return slugs.isEmpty()
                ? this
                : whereNamed(Condition.of(ItemTerms.isOneOf(ItemTerms.SLUG, slugs), "slug = any (?)", (Object)
                        slugs.toArray(String[]::new)));
    }

    /**
     * Keeps items of after a moment.
     *
     * @param column {@code published_at} or {@code modified_at}
     * @param moment excluded
     * @return this
     */
    ItemQuery after(String column, Instant moment) {
        return where(Condition.of(
                ItemTerms.isAfter(column, moment), column + " > ?", (Object) moment.atOffset(ZoneOffset.UTC)));
    }

    /**
     * Keeps items of before a moment.
     *
     * @param column {@code published_at} or {@code modified_at}
     * @param moment excluded
     * @return this
     */
    ItemQuery before(String column, Instant moment) {
        return where(Condition.of(
                ItemTerms.isBefore(column, moment), column + " < ?", (Object) moment.atOffset(ZoneOffset.UTC)));
    }

    /**
     * Keeps items that a text is found in.
     *
     * @param wanted what to look for
     * @return this
     */
    ItemQuery matching(Search wanted) {
        Search words = isOfFiles ? wanted.alsoInFileNames() : wanted;
        this.search = words;
        return where(words.condition());
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
        List<Condition> steps = search == null ? List.of() : search.steps();
        for (int place = 0; place < steps.size(); place++) {
            order.append(place == 0 ? "case" : "")
                    .append(" when ")
                    .append(steps.get(place).sql())
                    .append(" then ")
                    .append(place)
                    .append(place == steps.size() - 1 ? " else " + steps.size() + " end, " : "");
            bound.addAll(steps.get(place).values());
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
        return orderBy.sql.isEmpty() ? OrderBy.DATE.sql : orderBy.sql;
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
        // Where most items fit, the page is found soonest by walking in its order. The database would rather look for
        // all that
        // fit and sort them; a condition that it cannot look for leaves it no choice.
        boolean isWalked = total > FEW && offset + limit <= total / 4;
        return ofNamed(range + " and " + (isWalked ? later(all) : all));
    }

    /** Has a condition looked at behind all others: no way to the items is found by it. */
    private static String later(String condition) {
        return "case when " + condition + " then true else false end";
    }

    /** Lets the database begin with the items that are named: it would rather go by kind and status, which most have. */
    private String ofNamed(String condition) {
        return naming == null ? condition : naming.sql() + " and " + later(condition);
    }

    private List<@Nullable Object> named() {
        return naming == null ? List.of() : naming.values();
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
        List<Query> all = new ArrayList<>(List.of(ItemTerms.is(ItemTerms.KIND, type)));
        if (!statuses.isEmpty()) {
            all.add(ItemTerms.isOneOf(ItemTerms.STATUS, statuses));
        }
        Query ofStatus = ItemTerms.all(List.copyOf(all));
        all.addAll(wanted.get());
        all.addAll(readable.get());
        Query found = ItemTerms.all(all);
        return parts(found).map(parts -> new Indexed(conditions.isEmpty() ? ofStatus : found, parts, indexedOrder()));
    }

    private Optional<List<Query>> parts(Query found) {
        if (orderBy != OrderBy.RELEVANCE || search == null) {
            return Optional.of(List.of(found));
        }
        return Condition.queries(search.steps()).map(steps -> {
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
        boolean isText = orderBy == OrderBy.SLUG || orderBy == OrderBy.TITLE;
        SortField first = new SortField(column(), isText ? SortField.Type.STRING : SortField.Type.LONG, !ascending);
        return new Sort(first, new SortField(ItemTerms.ID, SortField.Type.LONG, !ascending));
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

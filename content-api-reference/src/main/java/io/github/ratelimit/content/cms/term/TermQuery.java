package io.github.ratelimit.content.cms.term;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a list of terms is asked for. Belongs to one thread; each method changes the query and returns it. */
final class TermQuery {
    /** What a list can be ordered by. */
    enum OrderBy {
        /** The id. */
        ID("t.id"),
        /** The name. */
        NAME("t.name_order"),
        /** The slug. */
        SLUG("cast(t.slug as bytea)"),
        /** The description. */
        DESCRIPTION("t.description"),
        /** How many published posts a term sorts. */
        COUNT("(select count(*) from item_term i where i.term_id = t.id and i.published)");

        private final String sql;

        OrderBy(String sql) {
            this.sql = sql;
        }
    }

    private final List<String> conditions = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();
    private OrderBy orderBy = OrderBy.NAME;
    private Map<Object, Integer> given = Map.of();
    private boolean ascending = true;
    private long offset;
    private long limit = 10;

    private TermQuery() {}

    static TermQuery of(Taxonomy taxonomy) {
        return new TermQuery().where("t.taxonomy = ?", taxonomy.wireName());
    }

    private TermQuery where(String sql, Object... bound) {
        conditions.add(sql);
        values.addAll(List.of(bound));
        return this;
    }

    TermQuery in(Collection<Long> ids) {
        return ids.isEmpty() ? this : where("t.id = any (?)", (Object) ids.toArray(Long[]::new));
    }

    TermQuery notIn(Collection<Long> ids) {
        return ids.isEmpty() ? this : where("not (t.id = any (?))", (Object) ids.toArray(Long[]::new));
    }

    TermQuery named(Collection<String> slugs) {
        return slugs.isEmpty() ? this : where("t.slug = any (?)", (Object) slugs.toArray(String[]::new));
    }

    TermQuery below(long parent) {
        return where("t.parent_id = ?", parent);
    }

    TermQuery ofItem(long item) {
        return where("t.id in (select term_id from item_term where item_id = ?)", item);
    }

    TermQuery used() {
        return where("exists (select 1 from item_term i where i.term_id = t.id and i.published)");
    }

    TermQuery matching(String text) {
        String escaped = text.toLowerCase(Locale.ROOT)
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
        String pattern = "%" + escaped + "%";
        return where("(lower(t.name) like ? escape '!' or t.slug like ? escape '!')", pattern, pattern);
    }

    TermQuery orderBy(OrderBy by, boolean isAscending) {
        this.orderBy = by;
        this.ascending = isAscending;
        return this;
    }

    /** Orders as the caller named the terms, by id or by slug; no names at all are no order. */
    TermQuery orderAsGiven(Collection<?> keys, boolean isAscending) {
        Map<Object, Integer> places = new HashMap<>();
        keys.forEach(key -> places.putIfAbsent(key, places.size()));
        this.given = places;
        this.ascending = isAscending;
        return this;
    }

    TermQuery page(long skip, long most) {
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

    String order() {
        String direction = ascending ? " asc" : " desc";
        return orderBy.sql + direction + ", t.id" + direction;
    }

    boolean hasGivenOrder() {
        return !given.isEmpty();
    }

    /** Orders ids with their slugs as the caller named them. */
    Comparator<Map.Entry<Long, String>> asGiven() {
        Comparator<Map.Entry<Long, String>> first = Comparator.comparingInt(
                term -> given.getOrDefault(term.getKey(), given.getOrDefault(term.getValue(), Integer.MAX_VALUE)));
        return ascending ? first : first.reversed();
    }

    boolean isByCount() {
        return orderBy == OrderBy.COUNT;
    }

    /** Orders ids as the database would. */
    Comparator<Long> byCount(Map<Long, Long> counts) {
        Comparator<Long> rising = Comparator.<Long, Long>comparing(id -> counts.getOrDefault(id, 0L))
                .thenComparing(Comparator.naturalOrder());
        return ascending ? rising : rising.reversed();
    }

    long offset() {
        return offset;
    }

    long limit() {
        return limit;
    }
}

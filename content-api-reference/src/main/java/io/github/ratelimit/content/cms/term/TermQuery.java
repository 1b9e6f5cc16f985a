package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a list of terms, each of them {@code t}, is asked for. Belongs to one thread; each method changes the query and returns it. */
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
        return new TermQuery().where(new SqlCondition("t.taxonomy = ?", taxonomy.wireName()));
    }

    TermQuery where(SqlCondition condition) {
        conditions.add(condition.sql());
        values.addAll(condition.values());
        return this;
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

    long offset() {
        return offset;
    }

    long limit() {
        return limit;
    }
}

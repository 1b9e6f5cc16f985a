package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.List;

/** What a list of terms, each of them {@code t}, is asked for. Belongs to one thread; each method changes the query and returns it. */
final class TermQuery {
    private static final SqlCondition NONE = new SqlCondition("");

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

    private final List<SqlCondition> conditions = new ArrayList<>();
    private OrderBy orderBy = OrderBy.NAME;
    private SqlCondition given = NONE;
    private boolean ascending = true;
    private long offset;
    private long limit = 10;

    private TermQuery() {}

    static TermQuery of(Taxonomy taxonomy) {
        return new TermQuery().where(new SqlCondition("t.taxonomy = ?", taxonomy.wireName()));
    }

    TermQuery where(SqlCondition condition) {
        conditions.add(condition);
        return this;
    }

    TermQuery orderBy(OrderBy by, boolean isAscending) {
        this.orderBy = by;
        this.ascending = isAscending;
        return this;
    }

    /** Orders by the place in a list of ids or slugs, which the conditions name as well. An empty list is no order. */
    TermQuery orderAsGiven(SqlCondition list) {
        this.given = list;
        return this;
    }

    TermQuery page(long skip, long most) {
        this.offset = skip;
        this.limit = most;
        return this;
    }

    SqlCondition count() {
        return select("count(*)", "", List.of());
    }

    SqlCondition page() {
        String direction = ascending ? " asc" : " desc";
        String order =
                given.values().isEmpty() ? orderBy.sql + direction + ", t.id" + direction : "given.place" + direction;
        return select(
                Term.COLUMNS, " order by " + order + " offset ? rows fetch first ? rows only", List.of(offset, limit));
    }

    private SqlCondition select(String columns, String end, List<Object> more) {
        SqlCondition all = SqlCondition.allOf(conditions);
        List<Object> values = new ArrayList<>(given.values());
        values.addAll(all.values());
        values.addAll(more);
        return new SqlCondition(
                "select " + columns + " from term t" + given.sql() + " where " + all.sql() + end, values);
    }

    long offset() {
        return offset;
    }
}

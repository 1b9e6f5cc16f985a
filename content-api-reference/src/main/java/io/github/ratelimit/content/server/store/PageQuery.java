package io.github.ratelimit.content.server.store;

import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A page of the rows of a table.
 *
 * @param from the table, its short name and what is joined
 * @param conditions rows fulfil all of them; none are fulfilled by every row
 * @param order constant text behind {@code order by}
 * @param offset how many rows are skipped
 * @param limit how many rows are read at most
 */
public record PageQuery(SqlCondition from, List<SqlCondition> conditions, String order, long offset, long limit) {
    /** Copies the conditions. */
    public PageQuery {
        conditions = List.copyOf(conditions);
    }

    /**
     * What was found.
     *
     * @param rows of the page
     * @param total of all pages
     * @param <T> of a row
     */
    public record Page<T>(List<T> rows, long total) {}

    /**
     * Reads the page.
     *
     * @param jdbc asks the database
     * @param columns constant text
     * @param mapper reads a row
     * @return no rows behind the last page
     * @param <T> of a row
     */
    public <T> Page<T> read(JdbcClient jdbc, String columns, RowMapper<T> mapper) {
        long total = select(jdbc, "count(*)", "").query(Long.class).single();
        String page = " order by " + order + " offset ? rows fetch next ? rows only";
        return new Page<>(
                offset < total
                        ? select(jdbc, columns, page, offset, limit)
                                .query(mapper)
                                .list()
                        : List.of(),
                total);
    }

    private JdbcClient.StatementSpec select(JdbcClient jdbc, String columns, String end, Object... further) {
        SqlCondition where = conditions.isEmpty() ? new SqlCondition("") : SqlCondition.allOf(conditions);
        List<Object> values = new ArrayList<>(from.values());
        values.addAll(where.values());
        values.addAll(List.of(further));
        return jdbc.sql("select " + columns + " from " + from.sql() + (conditions.isEmpty() ? "" : " where ")
                        + where.sql() + end)
                .params(values);
    }
}

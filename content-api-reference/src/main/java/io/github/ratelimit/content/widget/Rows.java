package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What visitors left, read from a table {@code t} in the order of its moments and then of its ids. Safe for concurrent use.
 *
 * @param <T> the type of entry
 * @param jdbc the database
 * @param moment the column that says when an entry was made
 * @param entry makes an entry of a row
 */
record Rows<T>(JdbcClient jdbc, String moment, RowMapper<T> entry) {

    /**
     * Lists the newest first.
     *
     * @param from the table, its joins and its condition, which names the owner {@code :owner}
     * @param owner the workspace, or the conversation
     * @param slice which part of the list
     */
    Listing<T> newest(String from, Object owner, Slice slice) {
        List<T> page = jdbc.sql("select t.* from " + from + " order by t." + moment
                        + " desc, t.id offset :offset rows fetch next :limit rows only")
                .param("owner", owner)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query(entry)
                .list();
        long total = jdbc.sql("select count(*) from " + from)
                .param("owner", owner)
                .query(Long.class)
                .single();
        return slice.listing(page, total);
    }

    /**
     * Lists from the oldest on.
     *
     * @param from as above
     * @param owner as above
     * @param last the last one that was seen
     * @param most how many
     */
    List<T> after(String from, Object owner, Position last, int most) {
        return jdbc.sql("select t.* from " + from + " and (t." + moment + ", t.id) > (:moment, :id) order by t."
                        + moment + ", t.id fetch first :most rows only")
                .param("owner", owner)
                .param("moment", last.moment().atOffset(ZoneOffset.UTC))
                .param("id", last.id())
                .param("most", most)
                .query(entry)
                .list();
    }
}

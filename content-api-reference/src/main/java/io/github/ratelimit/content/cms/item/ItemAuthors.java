package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.AuthoredContent;
import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.shared.storage.Writes;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What accounts wrote, and what becomes of it when an account goes. */
@Component
class ItemAuthors implements AuthoredContent {
    /** One look into an index for each account and type: for "exists" PostgreSQL reads the authors of all items. */
    private static final String PUBLIC = "coalesce(" + first("post") + ", " + first("page") + ") is not null";

    private final JdbcClient jdbc;
    private final ItemStore store;
    private final ItemWriter writer;
    private final Writes writes;

    ItemAuthors(JdbcClient jdbc, ItemStore store, ItemWriter writer, Writes writes) {
        this.jdbc = jdbc;
        this.store = store;
        this.writer = writer;
        this.writes = writes;
    }

    private static String first(String type) {
        return "(select i.id from item i where i.kind = '" + type
                + "' and i.status = 'publish' and i.author_id = a.id fetch first 1 rows only)";
    }

    @Override
    public String isPublicAuthor() {
        return PUBLIC;
    }

    @Override
    public void handOver(long from, long to, Runnable before) {
        for (List<Long> some : Pieces.of(of(from))) {
            writes.run(hopeful -> {
                before.run();
                store.replace(some, ItemColumn.AUTHOR_ID, from, to);
                return some;
            });
        }
    }

    @Override
    public void deleteAllOf(long author) {
        for (List<Long> some : Pieces.of(of(author))) {
            writer.deleteAll(some);
        }
    }

    private List<Long> of(long author) {
        return jdbc.sql("select id from item where author_id = :author order by id")
                .param("author", author)
                .query(Long.class)
                .list();
    }
}

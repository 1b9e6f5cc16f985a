package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.AuthoredContent;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What accounts wrote, and what becomes of it when an account goes. */
@Component
class ItemAuthors implements AuthoredContent {
    /** One look into an index for each account and type: for "exists" PostgreSQL reads the authors of all items. */
    private static final String PUBLIC = "coalesce(" + first("post") + ", " + first("page") + ") is not null";

    private final JdbcClient jdbc;
    private final ItemStore store;
    private final ItemLog log;
    private final ItemWriter writer;

    ItemAuthors(JdbcClient jdbc, ItemStore store, ItemLog log, ItemWriter writer) {
        this.jdbc = jdbc;
        this.store = store;
        this.log = log;
        this.writer = writer;
    }

    @Override
    public Authors publicAuthors() {
        return new Authors(PUBLIC, store.publicAuthors());
    }

    private static String first(String kind) {
        return "(select i.id from item i where i.kind = '" + kind + "' and i.status = 'publish' and i.author_id = a.id"
                + " fetch first 1 rows only)";
    }

    @Override
    public String isPublicAuthor() {
        return PUBLIC;
    }

    @Override
    public void handOver(long from, long to) {
        List<Long> items = of(from);
        jdbc.sql("update item set author_id = :to, version = version + 1 where author_id = :from")
                .param("to", to)
                .param("from", from)
                .update();
        log.changed(items);
    }

    @Override
    public void deleteAllOf(long author) {
        for (long id : of(author)) {
            // Some went with the item that they belonged to.
            Optional<Item> item = store.find(id);
            item.ifPresent(writer::delete);
        }
    }

    private List<Long> of(long author) {
        return jdbc.sql("select id from item where author_id = :author order by id")
                .param("author", author)
                .query(Long.class)
                .list();
    }
}

package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.AuthoredContent;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What accounts wrote, and what becomes of it when an account goes. */
@Component
class ItemAuthors implements AuthoredContent {
    private static final String PUBLISHED = "kind in ('post', 'page') and status = 'publish'";

    private final JdbcClient jdbc;
    private final ItemStore store;
    private final ItemWriter writer;

    ItemAuthors(JdbcClient jdbc, ItemStore store, ItemWriter writer) {
        this.jdbc = jdbc;
        this.store = store;
        this.writer = writer;
    }

    @Override
    public Set<Long> publicAuthors() {
        return new HashSet<>(jdbc.sql("select distinct author_id from item where " + PUBLISHED)
                .query(Long.class)
                .list());
    }

    @Override
    public boolean isPublicAuthor(long account) {
        return jdbc.sql("select id from item where author_id = :author and " + PUBLISHED + " fetch first 1 rows only")
                .param("author", account)
                .query(Long.class)
                .optional()
                .isPresent();
    }

    @Override
    public void handOver(long from, long to) {
        jdbc.sql("update item set author_id = :to, version = version + 1 where author_id = :from")
                .param("to", to)
                .param("from", from)
                .update();
    }

    @Override
    public void deleteAllOf(long author) {
        for (long id : jdbc.sql("select id from item where author_id = :author order by id")
                .param("author", author)
                .query(Long.class)
                .list()) {
            // Some went with the item that they belonged to.
            Optional<Item> item = store.find(id);
            item.ifPresent(writer::delete);
        }
    }
}

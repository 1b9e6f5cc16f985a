package io.github.ratelimit.content.cms.item;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads items as their index keeps them: no texts, only what they can be found by. Safe for concurrent use. */
@Component
class ItemDocuments {
    private static final String SELECT = Arrays.stream(IndexedColumn.values())
            .map(IndexedColumn::field)
            .collect(Collectors.joining(", ", "select ", " from item where id = any (?) and kind <> 'revision'"));

    private final JdbcClient jdbc;

    ItemDocuments(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Lists items by their ids.
     *
     * @param id of the last one that is known, or 0
     * @param most how many at once
     * @return the next ones, smallest first
     */
    List<Long> idsAfter(long id, int most) {
        return jdbc.sql("select id from item where id > ? order by id fetch first ? rows only")
                .params(id, most)
                .query(Long.class)
                .list();
    }

    /**
     * Reads items.
     *
     * @param ids any
     * @return by id; what is gone, and what is on no list, is missing
     */
    Map<Long, Document> of(Collection<Long> ids) {
        Long[] wanted = ids.toArray(Long[]::new);
        Map<Long, Document> documents = new HashMap<>();
        jdbc.sql(SELECT).params(Collections.singletonList(wanted)).query(row -> {
            documents.put(row.getLong("id"), document(row));
        });
        if (!documents.isEmpty()) {
            jdbc.sql("select x.item_id, t.taxonomy, t.id from item_term x join term t on t.id = x.term_id"
                            + " where x.item_id = any (?)")
                    .params(Collections.singletonList(wanted))
                    .query(row -> {
                        Document document = documents.get(row.getLong(1));
                        if (document != null) {
                            addTerm(document, ItemTerms.term(row.getString(2), row.getLong(3)));
                        }
                    });
        }
        return documents;
    }

    private static Document document(ResultSet row) throws SQLException {
        Document document = new Document();
        for (IndexedColumn column : IndexedColumn.values()) {
            column.add(document, row);
        }
        ItemTerms.addListed(
                document, row.getString(IndexedColumn.TYPE.field()), row.getString(IndexedColumn.STATUS.field()));
        return document;
    }

    private static void addTerm(Document document, String term) {
        IndexedColumn.addName(document, ItemTerms.TERM, term);
        if ("publish".equals(document.get(IndexedColumn.STATUS.field()))) {
            IndexedColumn.addName(document, ItemTerms.PUBLISHED_TERM, term);
        }
    }
}

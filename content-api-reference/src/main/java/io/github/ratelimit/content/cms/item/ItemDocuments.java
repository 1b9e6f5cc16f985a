package io.github.ratelimit.content.cms.item;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads items as their index keeps them: no texts, only what they can be found by. Safe for concurrent use. */
@Component
class ItemDocuments {
    private static final FieldType TEXT = new FieldType();

    static {
        TEXT.setTokenized(true);
        TEXT.setOmitNorms(true);
        TEXT.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        TEXT.freeze();
    }

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
        jdbc.sql(
                        "select id, kind, status, author_id, parent_id, slug, slug_order, title_order, published_at, modified_at,"
                                + " menu_order, format, mime_type, sticky, password, title, excerpt, content, file"
                                + " from item where id = any (?) and kind <> 'revision'")
                .params(Collections.singletonList(wanted))
                .query(row -> {
                    documents.put(row.getLong(1), document(row));
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
        addName(document, ItemTerms.ID, row.getString(1));
        document.add(new NumericDocValuesField(ItemTerms.ID, row.getLong(1)));
        addName(document, ItemTerms.KIND, row.getString(2));
        addName(document, ItemTerms.STATUS, row.getString(3));
        addNumber(document, ItemTerms.AUTHOR, row.getLong(4));
        addNumber(document, ItemTerms.PARENT, row.getLong(5));
        addName(document, ItemTerms.SLUG, row.getString(6));
        document.add(new SortedDocValuesField(ItemTerms.SLUG_ORDER, new BytesRef(row.getBytes(7))));
        document.add(new SortedDocValuesField(ItemTerms.TITLE_ORDER, new BytesRef(row.getBytes(8))));
        addNumber(document, ItemTerms.PUBLISHED, micros(row, 9));
        addNumber(document, ItemTerms.MODIFIED, micros(row, 10));
        addNumber(document, ItemTerms.MENU_ORDER, row.getLong(11));
        addName(document, ItemTerms.FORMAT, row.getString(12));
        addName(document, ItemTerms.MIME_TYPE, row.getString(13));
        addFlag(document, ItemTerms.STICKY, row.getBoolean(14));
        addFlag(document, ItemTerms.GUARDED, !row.getString(15).isEmpty());
        addText(document, ItemTerms.TITLE, row.getString(16));
        addText(document, ItemTerms.EXCERPT, row.getString(17));
        addText(document, ItemTerms.CONTENT, row.getString(18));
        addText(document, ItemTerms.FILE, row.getString(19));
        return document;
    }

    private static void addTerm(Document document, String term) {
        addName(document, ItemTerms.TERM, term);
        if ("publish".equals(document.get(ItemTerms.STATUS))) {
            addName(document, ItemTerms.PUBLISHED_TERM, term);
        }
    }

    private static void addName(Document document, String field, String value) {
        document.add(new StringField(field, value, Field.Store.NO));
    }

    private static void addNumber(Document document, String field, long value) {
        document.add(new LongPoint(field, value));
        document.add(new NumericDocValuesField(field, value));
    }

    private static void addFlag(Document document, String field, boolean isSet) {
        if (isSet) {
            addName(document, field, ItemTerms.SET);
        }
    }

    private static void addText(Document document, String field, @Nullable String text) {
        if (text != null) {
            document.add(new Field(field, new TextRuns(text.toLowerCase(Locale.ROOT)), TEXT));
            addName(document, ItemTerms.whole(field), ItemTerms.digest(text));
        }
    }

    private static long micros(ResultSet row, int column) throws SQLException {
        return ItemTerms.micros(row.getObject(column, OffsetDateTime.class).toInstant());
    }
}

package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.LetterCase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * What lists of items can be narrowed and ordered by: columns of the database that the index of items has as fields of the
 * same name. The first three are those that few items share a value of, the fewest first.
 */
public enum IndexedColumn {
    /** The number. */
    ID(Form.KEY),
    /** The name in addresses. */
    SLUG(Form.NAME),
    /** Whose it is. */
    AUTHOR_ID(Form.NUMBER),
    /** What it is, as {@link ItemType#wireName}. */
    TYPE(Form.NAME, "kind"),
    /** How far it has come. */
    STATUS(Form.NAME),
    /** What it stands below, or belongs to. */
    PARENT_ID(Form.NUMBER),
    /** The slug for sorting. */
    SLUG_ORDER(Form.ORDER),
    /** The title for sorting. */
    TITLE_ORDER(Form.ORDER),
    /** When it was or will be published. */
    PUBLISHED_AT(Form.MOMENT),
    /** When it was last written. */
    MODIFIED_AT(Form.MOMENT),
    /** The place among siblings. */
    MENU_ORDER(Form.NUMBER),
    /** How it is to be shown. */
    FORMAT(Form.NAME),
    /** Of a file. */
    MIME_TYPE(Form.NAME),
    /** Whether it stays on top. */
    STICKY(Form.FLAG),
    /** What guards it; the index knows only whether there is one. */
    PASSWORD(Form.SECRET),
    /** As written. */
    TITLE(Form.TEXT),
    /** As written. */
    EXCERPT(Form.TEXT),
    /** As written. */
    CONTENT(Form.TEXT),
    /** Where a file lies. */
    FILE(Form.TEXT);

    /** What a flag holds where it is set; elsewhere there is no such field. */
    private static final String SET = "1";

    private static final FieldType RUNS = new FieldType();

    static {
        RUNS.setTokenized(true);
        RUNS.setOmitNorms(true);
        RUNS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        RUNS.freeze();
    }

    /** How the index keeps a column. */
    private enum Form {
        /** A number that is looked up like a name. */
        KEY,
        /** A text that is found as a whole. */
        NAME,
        NUMBER,
        /** Counted as exactly as databases keep it. */
        MOMENT,
        /** Bytes that compare as the items do. */
        ORDER,
        FLAG,
        /** A text of which the index knows only whether there is one. */
        SECRET,
        /** What words are looked for in. */
        TEXT
    }

    private final Form form;
    private final String field;

    IndexedColumn(Form form) {
        this.form = form;
        field = name().toLowerCase(Locale.ROOT);
    }

    IndexedColumn(Form form, String field) {
        this.form = form;
        this.field = field;
    }

    /** Names the column, and the field. */
    String field() {
        return field;
    }

    /** Puts what a row says into a document of the index. */
    void add(Document document, ResultSet row) throws SQLException {
        switch (form) {
            case KEY -> {
                addName(document, field, row.getString(field));
                document.add(new NumericDocValuesField(field, row.getLong(field)));
            }
            case NAME -> addName(document, field, row.getString(field));
            case NUMBER -> addNumber(document, row.getLong(field));
            case MOMENT ->
                addNumber(
                        document,
                        ItemTerms.micros(
                                row.getObject(field, OffsetDateTime.class).toInstant()));
            case ORDER -> document.add(new SortedDocValuesField(field, new BytesRef(row.getBytes(field))));
            case FLAG -> addFlag(document, row.getBoolean(field));
            case SECRET -> addFlag(document, !row.getString(field).isEmpty());
            case TEXT -> addText(document, row.getString(field));
        }
    }

    private void addNumber(Document document, long value) {
        document.add(new LongPoint(field, value));
        document.add(new NumericDocValuesField(field, value));
    }

    private void addFlag(Document document, boolean isSet) {
        if (isSet) {
            addName(document, field, SET);
        }
    }

    private void addText(Document document, @Nullable String text) {
        if (text != null) {
            document.add(new Field(field, new TextRuns(LetterCase.lower(text)), RUNS));
            addName(document, ItemTerms.whole(field), ItemTerms.digest(text));
        }
    }

    /** Keeps items that have one of some numbers, at least one. */
    Condition among(Collection<Long> numbers) {
        Long[] bound = numbers.toArray(Long[]::new);
        Query indexed = form == Form.KEY
                ? ItemTerms.isOneOf(field, numbers.stream().map(String::valueOf).toList())
                : LongPoint.newSetQuery(field, numbers);
        return ofValues(indexed, bound);
    }

    /**
     * Keeps items that have one of some names.
     *
     * @param names at least one
     * @return what lists can be narrowed by
     */
    public Condition isOneOf(Collection<String> names) {
        return ofValues(ItemTerms.isOneOf(field, names), names.toArray(String[]::new));
    }

    private Condition ofValues(Query indexed, Object[] values) {
        Optional<IndexedColumn> few = compareTo(AUTHOR_ID) <= 0 ? Optional.of(this) : Optional.empty();
        if (values.length == 1) {
            return new Condition(field + " = ?", List.of(values), Optional.of(indexed), few);
        }
        String sql = this == ID ? ItemStore.KNOWN : field + " = any (?)";
        return new Condition(sql, List.of((Object) values), Optional.of(indexed), few);
    }

    /** Keeps items that are flagged, or those that are not. */
    Condition is(boolean isSet) {
        Query set = ItemTerms.is(field, SET);
        return Condition.of(isSet ? set : ItemTerms.not(set), field + " = ?", isSet);
    }

    /** Keeps items without a text. */
    Condition isEmpty() {
        return Condition.of(ItemTerms.not(ItemTerms.is(field, SET)), field + " = ''");
    }

    /** Keeps items of after a moment. */
    Condition after(Instant moment) {
        return Condition.of(ItemTerms.isAfter(field, moment), field + " > ?", moment.atOffset(ZoneOffset.UTC));
    }

    /** Keeps items of before a moment. */
    Condition before(Instant moment) {
        return Condition.of(ItemTerms.isBefore(field, moment), field + " < ?", moment.atOffset(ZoneOffset.UTC));
    }

    /** Orders what is found in the index. */
    SortField order(boolean isAscending) {
        return new SortField(field, form == Form.ORDER ? SortField.Type.STRING : SortField.Type.LONG, !isAscending);
    }

    /** Adds a text that is found as a whole. */
    static void addName(Document document, String field, String value) {
        document.add(new StringField(field, value, Field.Store.NO));
    }
}

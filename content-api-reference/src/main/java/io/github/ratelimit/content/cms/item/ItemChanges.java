package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Rendering;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written of an item: the columns that change, and no others.
 *
 * <p>Belongs to one thread. Texts are rendered here, once, so that reading them costs nothing.
 */
public final class ItemChanges {

    // In an order, so that the same columns make the same statement.
    private final Map<ItemColumn, @Nullable Object> values = new EnumMap<>(ItemColumn.class);

    /**
     * Sets a column.
     *
     * @param column the column
     * @param value its new value; a moment in whole seconds. Null where the column may be empty
     * @return this
     */
    public ItemChanges set(ItemColumn column, @Nullable Object value) {
        values.put(column, value);
        return this;
    }

    ItemChanges set(ItemChanges further) {
        values.putAll(further.values);
        return this;
    }

    @Nullable
    Object get(ItemColumn column) {
        return values.get(column);
    }

    /** Tells what a column will be. Each column has values of one type. */
    @SuppressWarnings("unchecked")
    <T> T get(ItemColumn column, T current) {
        return values.get(column) == null ? current : (T) values.get(column);
    }

    void remove(ItemColumn column) {
        values.remove(column);
    }

    /**
     * Sets the status.
     *
     * @param status the new one
     * @return this
     */
    public ItemChanges status(ItemStatus status) {
        return set(ItemColumn.STATUS, status.wireName());
    }

    /** Tells the status that is set. */
    Optional<ItemStatus> status() {
        return ItemStatus.of(get(ItemColumn.STATUS, ""));
    }

    /**
     * Sets the title, and what follows from it.
     *
     * @param raw as written
     * @return this
     */
    public ItemChanges title(String raw) {
        set(ItemColumn.TITLE, raw);
        set(ItemColumn.TITLE_RENDERED, Rendering.title(raw));
        return set(ItemColumn.TITLE_ORDER, sorted(raw));
    }

    /**
     * Sets the excerpt, and what follows from it.
     *
     * @param excerpt as written; where it is empty, readers see the beginning of the content
     * @param content as written
     * @param items tells about the items of this site in both
     * @return this
     */
    ItemChanges excerpt(String excerpt, String content, KnownItems items) {
        return set(ItemColumn.EXCERPT, excerpt)
                .set(ItemColumn.EXCERPT_RENDERED, Rendering.excerpt(excerpt, content, items));
    }

    /** Sets the excerpt of a revision, which shows none where none was written. */
    ItemChanges writtenExcerpt(String excerpt, KnownItems items) {
        return set(ItemColumn.EXCERPT, excerpt).set(ItemColumn.EXCERPT_RENDERED, Rendering.shortText(excerpt, items));
    }

    /**
     * Sets the content, and what follows from it but the excerpt.
     *
     * @param content as written
     * @param items tells about the items of this site in it
     * @param footnotes as an editor's tool keeps them
     * @return this
     */
    ItemChanges content(String content, KnownItems items, String footnotes) {
        return storedContent(content)
                .set(ItemColumn.CONTENT_RENDERED, Rendering.content(content, items, Footnotes.html(footnotes)))
                .set(ItemColumn.BLOCK_VERSION, Rendering.blockVersion(content));
    }

    /** Sets the content alone, and its form for searching. */
    ItemChanges storedContent(String content) {
        return set(ItemColumn.CONTENT, content).set(ItemColumn.CONTENT_SEARCHED, Letters.lower(content));
    }

    /**
     * Sets the slug, and what follows from it.
     *
     * @param slug checked to be free a moment ago
     * @param scope within what it is unique
     * @return this
     */
    ItemChanges slug(String slug, String scope) {
        set(ItemColumn.SLUG, slug);
        set(ItemColumn.SLUG_ORDER, slug.getBytes(StandardCharsets.UTF_8));
        return set(ItemColumn.SLUG_SCOPE, slug.isEmpty() ? null : scope);
    }

    /**
     * Sets a slug that another item has, too.
     *
     * @param slug not empty
     * @return this
     */
    ItemChanges sharedSlug(String slug) {
        return slug(slug, "").set(ItemColumn.SLUG_SCOPE, null);
    }

    /** Spells a title so that its bytes compare as its letters do, whatever their case and accents. */
    static byte[] sorted(String text) {
        String plain = Letters.normalized(Letters.beginning(text, Letters.SORTED_BYTES), Normalizer.Form.NFD)
                .replaceAll("\\p{M}+", "");
        return Letters.sorted(plain);
    }

    /** Tells how long the text is that a column gets: 0 where it gets none. */
    int length(ItemColumn column) {
        return get(column) instanceof String text ? text.length() : 0;
    }

    /** Picks the columns of one of the two tables. */
    Map<String, @Nullable Object> of(boolean isTexts) {
        Map<String, @Nullable Object> bound = new LinkedHashMap<>();
        values.forEach((column, value) -> {
            if (ItemColumn.TEXTS.contains(column) == isTexts) {
                bound.put(column.sql(), value instanceof Instant moment ? moment.atOffset(ZoneOffset.UTC) : value);
            }
        });
        return bound;
    }
}

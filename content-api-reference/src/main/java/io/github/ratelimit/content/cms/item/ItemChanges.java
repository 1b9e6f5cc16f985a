package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.cms.text.NormalForms;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.server.http.RequestBounds;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
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
        return set(ItemColumn.CONTENT, content).set(ItemColumn.CONTENT_SEARCHED, LetterCase.lower(content));
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
        String plain = NormalForms.of(Beginning.of(text, LetterCase.SORTED_BYTES), Normalizer.Form.NFD)
                .replaceAll("\\p{M}+", "");
        return LetterCase.sorted(plain);
    }

    /**
     * Rejects what is longer than is kept, once it is rendered or cleaned, with what else the request shows. What was not sent has the bound of its
     * column alone: it was written when the setting was another one.
     *
     * @param draft what these changes were made of
     * @param request that sent it
     * @param bounds of texts
     * @return this
     * @throws RestError 400
     */
    ItemChanges requireStorable(ItemDraft draft, RestRequest request, RequestBounds bounds) {
        List<Integer> shown = List.of(
                shown(draft.title(), ItemColumn.TITLE_RENDERED),
                shown(draft.content(), ItemColumn.CONTENT_RENDERED),
                shown(draft.excerpt(), ItemColumn.EXCERPT_RENDERED),
                draft.footnotes().map(String::length).orElse(0));
        if (Collections.max(shown) > bounds.maxShownText()) {
            throw RestError.tooLong(bounds.maxShownText());
        }
        request.requireShown(shown.stream().mapToLong(Integer::longValue).sum(), RequestBounds.MOST_SHOWN);
        if (values.values().stream().anyMatch(value -> length(value) > Rendering.LONGEST)) {
            throw RestError.tooLong(Rendering.LONGEST);
        }
        return this;
    }

    private int shown(Optional<String> sent, ItemColumn rendered) {
        return sent.isPresent() ? length(values.get(rendered)) : 0;
    }

    private static int length(@Nullable Object value) {
        return value instanceof String text ? text.length() : 0;
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

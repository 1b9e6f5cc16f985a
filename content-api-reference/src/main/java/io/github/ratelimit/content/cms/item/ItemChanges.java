package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.cms.text.KnownImages;
import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.cms.text.NormalForms;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.shared.storage.Column;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written of an item: the columns that change, and no others.
 *
 * <p>Belongs to one thread. Texts are rendered here, once, so that reading them costs nothing.
 */
public final class ItemChanges {

    // In an order, so that the same columns make the same statement.
    private final Map<Column<?>, @Nullable Object> values = new TreeMap<>();

    /**
     * Sets a column.
     *
     * @param column which
     * @param value what it is to be; a moment in whole seconds. Nothing, where the column may be empty
     * @return this
     * @param <V> the values of the column
     */
    public <V> ItemChanges set(Column<V> column, @Nullable V value) {
        values.put(column, value);
        return this;
    }

    /**
     * Takes over what others say about columns.
     *
     * @param further what they say
     * @return this
     */
    public ItemChanges set(ItemChanges further) {
        values.putAll(further.values);
        return this;
    }

    /**
     * Tells what a column is to be.
     *
     * @param column which
     * @return empty where it stays, or is to be empty
     * @param <V> the values of the column
     */
    public <V> Optional<V> get(Column<V> column) {
        return Optional.ofNullable(column.cast(values.get(column)));
    }

    ItemChanges remove(Column<?> column) {
        values.remove(column);
        return this;
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
     * @param images tells about the uploaded pictures in the excerpt
     * @return this
     */
    ItemChanges excerpt(String excerpt, String content, KnownImages images) {
        return set(ItemColumn.EXCERPT, excerpt)
                .set(ItemColumn.EXCERPT_RENDERED, Rendering.excerpt(excerpt, content, images));
    }

    /**
     * Sets content and excerpt of an earlier wording: unlike an item, it shows no excerpt where none was written.
     *
     * @param content as written
     * @param excerpt as written, or empty
     * @param images tells about the uploaded pictures in the content
     * @return this
     */
    ItemChanges wording(String content, String excerpt, KnownImages images) {
        return content(content, images)
                .set(ItemColumn.EXCERPT, excerpt)
                .set(ItemColumn.EXCERPT_RENDERED, Rendering.shortText(excerpt, images));
    }

    /**
     * Sets the content, and what follows from it but the excerpt.
     *
     * @param content as written
     * @param images tells about the uploaded pictures in it
     * @return this
     */
    ItemChanges content(String content, KnownImages images) {
        return set(ItemColumn.CONTENT, content)
                .set(ItemColumn.CONTENT_RENDERED, Rendering.content(content, images))
                .set(ItemColumn.BLOCK_VERSION, (long) Rendering.blockVersion(content));
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

    /** Makes an independent copy, for a write that may start over. */
    ItemChanges copy() {
        return new ItemChanges().set(this);
    }

    /**
     * Refuses what is longer than is kept, once it is rendered or cleaned, with what else the request shows. What was not sent has the bound of its
     * column alone: it was written when the setting was another one.
     *
     * @param sent what these changes were made of
     * @param request that sent it
     * @param bounds of texts
     * @return this
     * @throws RestError 400
     */
    ItemChanges requireStorable(ItemInput sent, RestRequest request, RequestBounds bounds) {
        long shown = shown(sent.title(), ItemColumn.TITLE_RENDERED)
                + shown(sent.content(), ItemColumn.CONTENT_RENDERED)
                + shown(sent.excerpt(), ItemColumn.EXCERPT_RENDERED)
                + sent.footnotes().map(notes -> notes.asString("").length()).orElse(0)
                + sent.columns().longTexts();
        request.requireShown(shown, bounds.maxShownText());
        if (values.values().stream().anyMatch(value -> length(value) > Rendering.LONGEST)) {
            throw RestError.tooLong(Rendering.LONGEST);
        }
        return this;
    }

    private long shown(Optional<String> sent, Column<String> rendered) {
        return sent.isPresent() ? length(values.get(rendered)) : 0;
    }

    private long longTexts() {
        return values.entrySet().stream()
                .filter(set -> set.getKey().isLong())
                .mapToLong(set -> length(set.getValue()))
                .sum();
    }

    private static int length(@Nullable Object value) {
        return value instanceof String text ? text.length() : 0;
    }

    /** Picks the columns of one of the two tables. */
    Map<String, @Nullable Object> of(boolean isTexts) {
        Map<String, @Nullable Object> bound = new LinkedHashMap<>();
        values.forEach((column, value) -> {
            if (ItemColumn.TEXTS.contains(column) == isTexts) {
                bound.put(column.name(), column.bound(value));
            }
        });
        return bound;
    }
}

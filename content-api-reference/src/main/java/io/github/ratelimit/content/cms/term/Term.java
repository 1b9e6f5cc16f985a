package io.github.ratelimit.content.cms.term;

import java.util.EnumMap;
import java.util.Map;

/**
 * A category or a tag.
 *
 * @param id among all terms of all taxonomies
 * @param taxonomy what it is
 * @param parent the term it stands below, or 0
 * @param version grows with each write of the term
 * @param texts what its columns hold; one that holds nothing may be missing
 */
public record Term(long id, Taxonomy taxonomy, long parent, long version, Map<TermColumn, String> texts) {
    /** The category of posts that have no other. */
    public static final long DEFAULT_CATEGORY = 1;

    /** Copies the texts. */
    public Term {
        texts = Map.copyOf(texts);
    }

    /**
     * Tells what a column holds.
     *
     * @param column which
     * @return empty where it holds nothing
     */
    public String text(TermColumn column) {
        return texts.getOrDefault(column, "");
    }

    /**
     * Tells the name in addresses.
     *
     * @return unique within the taxonomy
     */
    public String slug() {
        return text(TermColumn.SLUG);
    }

    /**
     * Tells the name.
     *
     * @return as people read it
     */
    public String name() {
        return text(TermColumn.NAME);
    }

    Term with(TermColumn column, String text) {
        Map<TermColumn, String> changed = new EnumMap<>(TermColumn.class);
        changed.putAll(texts);
        changed.put(column, text);
        return new Term(id, taxonomy, parent, version, changed);
    }

    Term withId(long other) {
        return new Term(other, taxonomy, parent, version, texts);
    }

    Term withSlug(String other) {
        return with(TermColumn.SLUG, other);
    }

    Term withParent(long other) {
        return new Term(id, taxonomy, other, version, texts);
    }

    Term ofNextVersion() {
        return new Term(id, taxonomy, parent, version + 1, texts);
    }
}

package io.github.ratelimit.content.cms.term;

/**
 * A category or a tag.
 *
 * @param id among all terms of all taxonomies
 * @param taxonomy what it is
 * @param slug its name in addresses
 * @param name as people read it
 * @param description may be empty
 * @param parent the term it stands below, or 0
 */
public record Term(long id, Taxonomy taxonomy, String slug, String name, String description, long parent) {
    /** The category of posts that have no other. */
    public static final long DEFAULT_CATEGORY = 1;

    Term withId(long other) {
        return new Term(other, taxonomy, slug, name, description, parent);
    }

    Term withSlug(String other) {
        return new Term(id, taxonomy, other, name, description, parent);
    }

    Term withName(String other) {
        return new Term(id, taxonomy, slug, other, description, parent);
    }

    Term withDescription(String other) {
        return new Term(id, taxonomy, slug, name, other, parent);
    }

    Term withParent(long other) {
        return new Term(id, taxonomy, slug, name, description, other);
    }
}

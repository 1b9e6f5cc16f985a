package io.github.ratelimit.content.cms.term;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A category or a tag.
 *
 * @param id unique among all terms; 0 before it is stored
 * @param taxonomy the taxonomy
 * @param parent the id of the term above it, or 0
 * @param slug its name in addresses, unique within the taxonomy
 * @param name its name for readers
 * @param description plain text, may be empty
 */
public record Term(long id, Taxonomy taxonomy, long parent, String slug, String name, String description) {
    /** The category of posts that have no other. */
    public static final long DEFAULT_CATEGORY = 1;

    /** The columns that {@link #of} reads, of a term that a statement calls {@code t}. */
    static final String COLUMNS = "t.id, t.taxonomy, t.parent_id, t.slug, t.name, t.description";

    /** Reads the first columns of a row. */
    static Term of(ResultSet row, int number) throws SQLException {
        return new Term(
                row.getLong(1),
                Taxonomy.of(row.getString(2)),
                row.getLong(3),
                row.getString(4),
                row.getString(5),
                row.getString(6));
    }

    Term withId(long other) {
        return new Term(other, taxonomy, parent, slug, name, description);
    }

    Term withParent(long other) {
        return new Term(id, taxonomy, other, slug, name, description);
    }

    Term withSlug(String other) {
        return new Term(id, taxonomy, parent, other, name, description);
    }

    Term withName(String other) {
        return new Term(id, taxonomy, parent, slug, other, description);
    }

    Term withDescription(String other) {
        return new Term(id, taxonomy, parent, slug, name, other);
    }
}

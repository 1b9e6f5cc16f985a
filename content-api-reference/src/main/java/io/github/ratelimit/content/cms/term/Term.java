package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Row;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A category or a tag.
 *
 * @param row all that is stored of it, also what no code asks for by name
 */
public record Term(Row row) {
    /** The category of posts that have no other. */
    public static final long DEFAULT_CATEGORY = 1;

    static final Column<Long> ID = Column.number("id");
    static final Column<String> TAXONOMY = Column.text("taxonomy", 20);
    static final Column<Long> PARENT = Column.number("parent_id");
    static final Column<String> SLUG = Column.text("slug", 200);
    static final Column<String> NAME = Column.text("name", 200);

    /** The columns that have rules: no member is stored there as it is sent. */
    static final Set<String> OWN = Set.of("id", "taxonomy", "parent_id", "slug", "name", "name_order");

    /** Makes one of which nothing is known yet. */
    static Term of(Taxonomy taxonomy) {
        return new Term(TermFields.COLUMNS.empty()).with(TAXONOMY, taxonomy.wireName());
    }

    /**
     * Tells its number.
     *
     * @return unique among all terms of all taxonomies; 0 before it is stored
     */
    public long id() {
        return row.get(ID);
    }

    /**
     * Tells what it is.
     *
     * @return the taxonomy
     */
    public Taxonomy taxonomy() {
        return Taxonomy.of(row.get(TAXONOMY));
    }

    /**
     * Tells what it stands below.
     *
     * @return another term's number, or 0
     */
    public long parent() {
        return row.get(PARENT);
    }

    /**
     * Tells the name in addresses.
     *
     * @return unique within the taxonomy
     */
    public String slug() {
        return row.get(SLUG);
    }

    /**
     * Tells the name.
     *
     * @return as people read it
     */
    public String name() {
        return row.get(NAME);
    }

    <V> Term with(Column<V> column, @Nullable V value) {
        return new Term(row.with(column, value));
    }
}

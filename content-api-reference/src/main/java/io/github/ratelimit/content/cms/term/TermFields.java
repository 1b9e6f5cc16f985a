package io.github.ratelimit.content.cms.term;

import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Columns;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The table of the members of a term. */
final class TermFields {
    private static final int LONGEST_NAME = 200;

    private static final Column<String> DESCRIPTION = Column.text("description", Rendering.LONGEST);

    private static final Map<Taxonomy, Fields<Shown, Term>> TABLES = new EnumMap<>(Taxonomy.class);

    /** All that is stored of a term but what follows from it. */
    static final Columns COLUMNS;

    static {
        List<Column<?>> columns = new ArrayList<>(List.of(Term.ID, Term.TAXONOMY, Term.PARENT, Term.SLUG, Term.NAME));
        for (Taxonomy taxonomy : Taxonomy.values()) {
            Fields<Shown, Term> table = table(taxonomy);
            TABLES.put(taxonomy, table);
            columns.addAll(table.stored().values());
        }
        COLUMNS = Columns.of(columns);
    }

    private TermFields() {}

    /**
     * A term as an answer shows it.
     *
     * @param term the term
     * @param count how many published posts it sorts
     * @param base the site's address
     */
    record Shown(Term term, long count, String base) {
        String link() {
            return base + (term.taxonomy() == Taxonomy.TAG ? "/?tag=" + term.slug() : "/?cat=" + term.id());
        }
    }

    /** Tells the members of the terms of a taxonomy. */
    static Fields<Shown, Term> of(Taxonomy taxonomy) {
        return Objects.requireNonNull(TABLES.get(taxonomy));
    }

    private static Fields<Shown, Term> table(Taxonomy taxonomy) {
        Fields.Table<Shown, Term> fields = Fields.declare();
        Fields.Members<Term, Term> term = fields.of(Shown::term);
        Fields.Stored<Term> stored = term.stored(Term::row, Term::with);
        term.number("id", "Its number.", EVERYWHERE, Term::id);
        fields.number("count", "How many published posts it sorts.", NOT_EMBEDDED, Shown::count);
        stored.add(DESCRIPTION, "description", "What it is about.", NOT_EMBEDDED)
                .writtenBy((known, sent) -> known.with(DESCRIPTION, HtmlPolicy.cleanTitle(sent.stringValue())));
        fields.text("link", "The address of its page.", "uri", EVERYWHERE, Shown::link);
        term.text("name", "As people read it.", EVERYWHERE, Term::name)
                .writtenBy((known, sent) -> known.with(Term.NAME, name(sent)));
        term.text("slug", "Its name in addresses.", EVERYWHERE, Term::slug)
                .readBy(argument -> argument.readingBeginning(Slugs.LONGEST_SOURCE))
                .writtenBy(TermFields::withSlug);
        term.of(Term::taxonomy)
                .text("taxonomy", "What it is.", EVERYWHERE, Taxonomy::wireName)
                .with(schema -> schema.among(taxonomy.wireName()));
        if (taxonomy.isHierarchical()) {
            term.number("parent", "The term it stands below.", NOT_EMBEDDED, Term::parent)
                    .writtenBy((known, sent) -> known.with(Term.PARENT, sent.longValue()));
        }
        Schema meta = Schema.object().describedAs("What tools keep with it.").withoutProperties();
        fields.add("meta", meta, NOT_EMBEDDED, shown -> JsonNodeFactory.instance.arrayNode())
                .writtenBy((known, sent) -> known); // nothing is kept with terms
        return fields.build();
    }

    private static String name(JsonNode sent) {
        return Beginning.of(SingleLine.of(sent.stringValue()), LONGEST_NAME);
    }

    /** What leaves nothing of a slug is no wish for one. */
    private static Term withSlug(Term term, JsonNode sent) {
        String wish = Slugs.of(sent.stringValue());
        return wish.isEmpty() ? term : term.with(Term.SLUG, wish);
    }
}

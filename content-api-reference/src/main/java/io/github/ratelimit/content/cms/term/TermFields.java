package io.github.ratelimit.content.cms.term;

import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.Slugs;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The table of the members of a term. */
final class TermFields {
    private static final int LONGEST_NAME = 200;

    private static final Map<Taxonomy, Fields<Shown, Term>> TABLES =
            Arrays.stream(Taxonomy.values()).collect(Collectors.toMap(taxonomy -> taxonomy, TermFields::table));

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
        term.number("id", "Its number.", EVERYWHERE, Term::id);
        fields.number("count", "How many published posts it sorts.", NOT_EMBEDDED, Shown::count);
        term.text("description", "What it is about.", NOT_EMBEDDED, Term::description)
                .readAtMost(Rendering.LONGEST)
                .writtenBy((known, sent) -> known.withDescription(HtmlPolicy.cleanTitle(sent.stringValue())));
        fields.text("link", "The address of its page.", "uri", EVERYWHERE, Shown::link);
        term.text("name", "As people read it.", EVERYWHERE, Term::name)
                .writtenBy((known, sent) -> known.withName(name(sent)));
        term.text("slug", "Its name in addresses.", EVERYWHERE, Term::slug)
                .readBy(argument -> argument.readingBeginning(Slugs.LONGEST_SOURCE))
                .writtenBy(TermFields::withSlug);
        term.of(Term::taxonomy)
                .text("taxonomy", "What it is.", EVERYWHERE, Taxonomy::wireName)
                .with(schema -> schema.among(taxonomy.wireName()));
        if (taxonomy.isHierarchical()) {
            term.number("parent", "The term it stands below.", NOT_EMBEDDED, Term::parent)
                    .writtenBy((known, sent) -> known.withParent(sent.longValue()));
        }
        Schema meta = Schema.object("What tools keep with it.").withoutProperties();
        fields.add("meta", meta, NOT_EMBEDDED, shown -> JsonNodeFactory.instance.arrayNode())
                .writtenBy((known, sent) -> known); // nothing is kept with terms
        return fields.build();
    }

    private static String name(JsonNode sent) {
        return Letters.beginning(SingleLine.of(sent.stringValue()), LONGEST_NAME);
    }

    /** What leaves nothing of a slug is no wish for one. */
    private static Term withSlug(Term term, JsonNode sent) {
        String wish = Slugs.of(sent.stringValue());
        return wish.isEmpty() ? term : term.withSlug(wish);
    }
}

package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.Writes;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes, changes and deletes terms. */
@Component
class TermWriter {
    /** Above this the ids of ancestors run in a circle. Chosen: deeper than anyone sorts. */
    private static final int DEEPEST = 1000;

    private final TermStore store;
    private final Writes writes;

    TermWriter(TermStore store, Writes writes) {
        this.store = store;
        this.writes = writes;
    }

    Term create(RestRequest request, Taxonomy taxonomy) {
        Term wished = wished(request, new Term(0, taxonomy, 0, "", "", ""));
        return writes.run(() -> {
            Term placed = wished.withParent(parent(wished));
            same(placed).ifPresent(known -> {
                throw exists(known);
            });
            Term named = placed.slug().isEmpty() ? placed.withSlug(Slugs.of(placed.name())) : placed;
            Term term = named.withSlug(free(named));
            return term.withId(store.insert(term));
        });
    }

    /** Side by side two terms have one name only where whoever makes the second one gives it a slug of its own. */
    private Optional<Term> same(Term placed) {
        Optional<Term> namesake = store.named(placed.taxonomy(), placed.name(), placed.parent());
        boolean isSame = placed.slug().isEmpty()
                || namesake.filter(known -> known.slug().equals(placed.slug())).isPresent();
        if (namesake.isEmpty() || isSame) {
            return namesake;
        }
        return store.withSlug(placed.taxonomy(), placed.slug()).filter(known -> known.parent() == placed.parent());
    }

    Term update(RestRequest request, Term term) {
        return writes.run(() -> {
            Term current = store.find(term.taxonomy(), term.id()).orElseThrow(TermWriter::gone);
            Term wished = wished(request, current);
            boolean isMoved = wished.parent() != current.parent();
            if (!wished.slug().isEmpty() && !isMoved && isTaken(wished, wished.slug())) {
                throw RestError.of(400, "duplicate_term_slug", "The slug is already in use by another term.");
            }
            return store.update(wished.withSlug(wished.slug().equals(current.slug()) ? current.slug() : free(wished))
                    .withParent(isMoved ? parent(wished) : current.parent()));
        });
    }

    /** Makes the term that a request asks for, before it is known whether it can be had. */
    private Term wished(RestRequest request, Term start) {
        if (!start.taxonomy().isHierarchical()
                && request.raw("parent").filter(sent -> !sent.isNull()).isPresent()) {
            throw RestError.of(
                    400, "rest_taxonomy_not_hierarchical", "Cannot set parent term, taxonomy is not hierarchical.");
        }
        Term wished = TermFields.of(start.taxonomy()).write(request.arguments(), start);
        if (wished.name().isEmpty()) {
            throw RestError.of(400, "empty_term_name", "A name is required for this term.");
        }
        return wished;
    }

    void delete(Term term) {
        writes.run(() -> {
            Term current = store.find(term.taxonomy(), term.id()).orElseThrow(TermWriter::gone);
            store.delete(current);
            return current;
        });
    }

    /** Finds the term above. No term stands below itself, not even by way of others. */
    private long parent(Term term) {
        long parent = term.parent();
        if (parent == 0 || !term.taxonomy().isHierarchical() || parent == term.id()) {
            return 0;
        }
        Term above = store.find(term.taxonomy(), parent)
                .orElseThrow(() -> RestError.of(400, "rest_term_invalid", "Parent term does not exist."));
        long ancestor = above.parent();
        for (int depth = 0; ancestor != 0 && depth < DEEPEST; depth++) {
            if (ancestor == term.id()) {
                return 0;
            }
            ancestor = store.find(term.taxonomy(), ancestor).map(Term::parent).orElse(0L);
        }
        return parent;
    }

    /**
     * Finds a slug that no other term of the taxonomy has, as near to that of a term as can be: behind it come the slugs of
     * what it stands below, as far as needed, and then numbers.
     */
    private String free(Term term) {
        Taxonomy taxonomy = term.taxonomy();
        String wish = term.slug().isEmpty() ? taxonomy.collection().toLowerCase(Locale.ROOT) : term.slug();
        long parent = term.parent();
        for (int depth = 0; depth < DEEPEST && parent != 0 && isTaken(term, wish); depth++) {
            Optional<Term> above = store.find(taxonomy, parent);
            wish = Slugs.of(wish + "-" + above.map(Term::slug).orElse(""));
            parent = above.map(Term::parent).orElse(0L);
        }
        return Slugs.free(wish, false, slugs -> store.takenSlugs(taxonomy, slugs, term.id()));
    }

    private boolean isTaken(Term term, String slug) {
        return !store.takenSlugs(term.taxonomy(), Set.of(slug), term.id()).isEmpty();
    }

    private static RestError exists(Term term) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return RestError.of(400, "term_exists", "A term with the name provided already exists with this parent.")
                .with("term_id", json.numberNode(term.id()))
                // Told once by where the name was looked up, and once by where it was to be stored.
                .withAdditional(json.arrayNode().add(term.id()).add(term.id()));
    }

    static RestError gone() {
        return RestError.of(404, "rest_term_invalid", "Term does not exist.");
    }
}

package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.ArgumentValues;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.FreeSlugs;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.SqlCondition;
import io.github.ratelimit.content.server.store.Writes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists, makes, changes and deletes terms. */
@Component
class TermService {
    /** What asks for something else than the first terms by name. */
    private static final List<String> NARROWING = List.of(
            "include", "exclude", "slug", "search", "parent", "hide_empty", "order", "orderby", "offset", "page");

    /** Above this the ids of ancestors run in a circle. Chosen: deeper than anyone sorts. */
    private static final int DEEPEST = 1000;

    private final TermStore store;
    private final TermView view;
    private final Writes writes;
    private final SortedItems items;
    private final Lookup<Named, Term> terms;

    TermService(TermStore store, TermView view, Writes writes, SortedItems items) {
        this.store = store;
        this.view = view;
        this.writes = writes;
        this.items = items;
        this.terms = Lookup.of(named -> store.find(named.taxonomy(), named.id()));
    }

    /** Names a term as requests do. */
    private record Named(Taxonomy taxonomy, long id) {}

    /** Finds the term that a request names. */
    Term term(RestRequest request, Taxonomy taxonomy) {
        Named named = new Named(taxonomy, request.arguments().number("id"));
        return terms.find(request, named)
                .orElseThrow(() -> RestError.of(404, "rest_term_invalid", "Term does not exist."));
    }

    /** Looks up the terms of items at once, for requests that will ask for those of one item each. */
    void foresee(List<RestRequest> requests) {
        List<Long> asked = requests.stream()
                .flatMap(request -> request.arguments().integer("post").stream().boxed())
                .toList();
        store.termsOf(requests.get(0), items.readable(requests.get(0), asked));
    }

    /** What a caller may not read is sorted by no term, as what is not there. */
    private boolean isHidden(RestRequest request, long item) {
        return items.readable(request, List.of(item)).isEmpty();
    }

    RestAnswer list(RestRequest request, Taxonomy taxonomy, Filters<SqlCondition> listed) {
        ArgumentValues wanted = request.arguments();
        if (wanted.integer("post").isPresent() && isHidden(request, wanted.number("post"))) {
            return Paging.answer(request, JsonNodeFactory.instance.arrayNode(), 0, 0);
        }
        if (NARROWING.stream().noneMatch(name -> request.raw(name).isPresent())
                && wanted.integer("post").isPresent()) {
            return listOfItem(request, taxonomy, wanted.number("post"), wanted.number("per_page"));
        }
        TermQuery query = TermQuery.of(taxonomy);
        listed.conditions(request).forEach(query::where);
        boolean isAscending = wanted.text("order").orElse("asc").equals("asc");
        query.orderBy(orderBy(wanted), isAscending);
        switch (wanted.text("orderby").orElse("")) {
            case "include" ->
                SqlCondition.placeInNumbers("t.id", Paging.ids(wanted, "include"))
                        .ifPresent(query::orderAsGiven);
            case "include_slugs" ->
                SqlCondition.placeInTexts(
                                "t.slug",
                                wanted.texts("slug").stream().map(Slugs::of).toList())
                        .ifPresent(query::orderAsGiven);
            default -> {}
        }
        long perPage = wanted.number("per_page");
        long offset = Paging.skipped(wanted, perPage);
        TermStore.ListPage found = store.list(query.page(offset, perPage));
        return Paging.answerFrom(
                request, view.show(request, found.terms(), Context.of(request)), found.total(), perPage, offset);
    }

    /** All terms of one item, by name: they are few, and a page of items links to those of each. */
    private RestAnswer listOfItem(RestRequest request, Taxonomy taxonomy, long item, long perPage) {
        List<Term> all = store.termsOf(request, List.of(item)).getOrDefault(item, List.of()).stream()
                .filter(term -> term.taxonomy() == taxonomy)
                .toList();
        List<Term> first = all.subList(0, (int) Math.min(perPage, all.size()));
        return Paging.answer(
                request, view.show(request, first, Context.of(request)), all.size(), Paging.pages(all.size(), perPage));
    }

    private static TermQuery.OrderBy orderBy(ArgumentValues wanted) {
        return switch (wanted.text("orderby").orElse("name")) {
            case "id", "term_group" -> TermQuery.OrderBy.ID;
            case "slug" -> TermQuery.OrderBy.SLUG;
            case "description" -> TermQuery.OrderBy.DESCRIPTION;
            case "count" -> TermQuery.OrderBy.COUNT;
            default -> TermQuery.OrderBy.NAME;
        };
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
            Term current = store.find(term.taxonomy(), term.id()).orElseThrow(TermService::gone);
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
            Term current = store.find(term.taxonomy(), term.id()).orElseThrow(TermService::gone);
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
        return FreeSlugs.find(wish, false, slugs -> store.takenSlugs(taxonomy, slugs, term.id()));
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

    private static RestError gone() {
        return RestError.of(404, "rest_term_invalid", "Term does not exist.");
    }
}

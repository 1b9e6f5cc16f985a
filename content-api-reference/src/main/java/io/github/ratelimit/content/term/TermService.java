package io.github.ratelimit.content.term;

import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.ArgumentValues;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.Paging;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists, makes, changes and deletes terms. */
@Component
class TermService {
    private static final int LONGEST_NAME = 200;
    private static final int MOST_TRIES = 100;
    /** Above this the ids of ancestors run in a circle. Chosen: deeper than anyone sorts. */
    private static final int DEEPEST = 1000;

    private final TermStore store;
    private final TermView view;
    private final TransactionTemplate transaction;

    TermService(TermStore store, TermView view, PlatformTransactionManager transactions) {
        this.store = store;
        this.view = view;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** Names a term among what a request remembers. */
    private record TermKey(Taxonomy taxonomy, long id) {}

    Term term(RestRequest request, Taxonomy taxonomy) {
        long id = request.arguments().number("id");
        Optional<Term> found = request.remember(new TermKey(taxonomy, id), () -> store.find(taxonomy, id));
        return found.orElseThrow(() -> RestError.of(404, "rest_term_invalid", "Term does not exist."));
    }

    RestAnswer list(RestRequest request, Taxonomy taxonomy) {
        ArgumentValues wanted = request.arguments();
        TermQuery query = TermQuery.of(taxonomy)
                .in(wanted.integers("include"))
                .notIn(wanted.integers("exclude"))
                .named(wanted.texts("slug").stream().map(Slugs::of).toList());
        wanted.text("search").filter(text -> !text.isEmpty()).ifPresent(query::matching);
        wanted.integer("parent").ifPresent(query::below);
        wanted.integer("post").ifPresent(query::ofItem);
        if (wanted.flag("hide_empty")) {
            query.used();
        }
        query.orderBy(orderBy(wanted), wanted.text("order").orElse("asc").equals("asc"));
        long perPage = wanted.number("per_page");
        long page = wanted.number("page");
        long skipped = page > Long.MAX_VALUE / perPage ? Long.MAX_VALUE : (page - 1) * perPage;
        long offset = wanted.integer("offset").isPresent() ? Math.max(0, wanted.number("offset")) : skipped;
        TermStore.Slice slice = store.list(query.page(offset, perPage));
        return Paging.answer(
                request,
                view.show(request, slice.terms(), Context.of(request)),
                slice.total(),
                Paging.pages(slice.total(), perPage));
    }

    private static TermQuery.OrderBy orderBy(ArgumentValues wanted) {
        return switch (wanted.text("orderby").orElse("name")) {
            case "id", "include", "term_group" -> TermQuery.OrderBy.ID;
            case "slug", "include_slugs" -> TermQuery.OrderBy.SLUG;
            case "description" -> TermQuery.OrderBy.DESCRIPTION;
            case "count" -> TermQuery.OrderBy.COUNT;
            default -> TermQuery.OrderBy.NAME;
        };
    }

    Term create(RestRequest request, Taxonomy taxonomy) {
        ArgumentValues wanted = request.arguments();
        String name = name(wanted).orElseThrow(TermService::emptyName);
        long parent = parent(wanted, taxonomy, 0);
        String wish = wanted.text("slug")
                .map(Slugs::of)
                .filter(slug -> !slug.isEmpty())
                .orElse("");
        return retrying(() -> {
            Optional<Term> same = wish.isEmpty() ? store.named(taxonomy, name, parent) : Optional.empty();
            if (same.isPresent()) {
                throw exists(same.get());
            }
            String slug = free(taxonomy, wish.isEmpty() ? Slugs.of(name) : wish, 0);
            Term term =
                    new Term(0, taxonomy, slug, name, wanted.text("description").orElse(""), parent);
            long id = store.insert(term);
            return new Term(id, taxonomy, slug, name, term.description(), parent);
        });
    }

    Term update(RestRequest request, Term term) {
        ArgumentValues wanted = request.arguments();
        if (wanted.has("name") && name(wanted).isEmpty()) {
            throw emptyName();
        }
        return retrying(() -> {
            Term current = store.find(term.taxonomy(), term.id()).orElseThrow(() -> gone());
            String slug = wanted.text("slug")
                    .map(Slugs::of)
                    .filter(wish -> !wish.isEmpty() && !wish.equals(current.slug()))
                    .map(wish -> free(current.taxonomy(), wish, current.id()))
                    .orElse(current.slug());
            Term changed = new Term(
                    current.id(),
                    current.taxonomy(),
                    slug,
                    name(wanted).orElse(current.name()),
                    wanted.text("description").orElse(current.description()),
                    wanted.has("parent") ? parent(wanted, current.taxonomy(), current.id()) : current.parent());
            store.update(changed);
            return changed;
        });
    }

    void delete(Term term) {
        retrying(() -> {
            store.delete(term);
            return term;
        });
    }

    private static Optional<String> name(ArgumentValues wanted) {
        return wanted.text("name")
                .map(String::strip)
                .map(name -> name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name)
                .filter(name -> !name.isEmpty());
    }

    private long parent(ArgumentValues wanted, Taxonomy taxonomy, long id) {
        long parent = wanted.number("parent");
        if (parent == 0 || !taxonomy.isHierarchical() || parent == id) {
            return 0;
        }
        Term above = store.find(taxonomy, parent)
                .orElseThrow(() -> RestError.of(400, "rest_term_invalid", "Parent term does not exist."));
        long ancestor = above.parent();
        for (int depth = 0; ancestor != 0 && depth < DEEPEST; depth++) {
            if (ancestor == id) {
                return 0;
            }
            ancestor = store.find(taxonomy, ancestor).map(Term::parent).orElse(0L);
        }
        return parent;
    }

    private String free(Taxonomy taxonomy, String slug, long except) {
        String wish = slug.isEmpty() ? taxonomy.collection().toLowerCase(Locale.ROOT) : slug;
        String candidate = wish;
        for (int number = 2; store.isTaken(taxonomy, candidate, except); number++) {
            candidate = Slugs.numbered(wish, number);
        }
        return candidate;
    }

    private Term retrying(Supplier<Term> work) {
        for (int tries = 1; ; tries++) {
            try {
                Term result = transaction.execute(status -> work.get());
                if (result == null) {
                    throw new IllegalStateException("a write gave no term");
                }
                return result;
            } catch (DuplicateKeyException | ConcurrencyFailureException overtaken) {
                if (tries == MOST_TRIES) {
                    throw overtaken;
                }
            }
        }
    }

    private static RestError exists(Term term) {
        return RestError.of(400, "term_exists", "A term with the name provided already exists with this parent.")
                .with("term_id", JsonNodeFactory.instance.numberNode(term.id()));
    }

    private static RestError emptyName() {
        return RestError.of(400, "empty_term_name", "A name is required for this term.");
    }

    private static RestError gone() {
        return RestError.of(404, "rest_term_invalid", "Term does not exist.");
    }
}

package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.server.store.PageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Categories and tags. They are not in the interface's document; its clients sort posts by them. */
@Component
@Order(400)
class TermRoutes implements Route.Source {
    /** What asks for something else than the first terms by name. */
    private static final List<String> NARROWING = List.of(
            "include", "exclude", "slug", "search", "parent", "hide_empty", "order", "orderby", "offset", "page");

    private static final Argument ID = Argument.optional("id", Schema.integer("The number of the term."));
    private static final Argument FORCE = Argument.optional(
            "force", Schema.bool("Must be true: terms have no trash.").defaultsTo(false));

    private final TermStore store;
    private final TermWriter writer;
    private final SortedItems items;
    private final Lookup<Named, Term> terms;

    TermRoutes(TermStore store, TermWriter writer, SortedItems items) {
        this.store = store;
        this.writer = writer;
        this.items = items;
        this.terms = Lookup.ofSeveral(all -> all.stream()
                .flatMap(named -> store.find(named.taxonomy(), named.id()).stream())
                .collect(Collectors.toMap(term -> new Named(term.taxonomy(), term.id()), Function.identity())));
    }

    /** Names a term as requests do. */
    private record Named(Taxonomy taxonomy, long id) {}

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (Taxonomy taxonomy : Taxonomy.values()) {
            routes.add(collection(taxonomy));
            routes.add(item(taxonomy));
        }
        return routes;
    }

    private Route collection(Taxonomy taxonomy) {
        Filters listed = TermFilters.of(taxonomy);
        return Route.at("cms/v2", "/" + taxonomy.collection())
                .describedBy(base -> describe(taxonomy))
                .on(RestMethod.GET)
                .accepts(listed.arguments())
                .allowedTo(TermRoutes::toShow)
                .servedBy(request -> list(request, taxonomy, listed))
                .on(RestMethod.POST)
                .accepts(TermFields.of(taxonomy).arguments().requiring("name"))
                .allowedTo(request -> request.require(
                        taxonomy.create(),
                        "rest_cannot_create",
                        "Sorry, you are not allowed to create terms in this taxonomy."))
                .servedBy(request -> create(request, taxonomy))
                .build();
    }

    private Route item(Taxonomy taxonomy) {
        return Route.at("cms/v2", "/" + taxonomy.collection() + "/<id>")
                .describedBy(base -> describe(taxonomy))
                .on(RestMethod.GET)
                .accepts(Arguments.of(ID, Context.ARGUMENT))
                .servedBy(
                        request -> {
                            Term term = term(request, taxonomy);
                            toShow(request);
                            return term;
                        },
                        (request, term) -> RestAnswer.ok(show(request, term, Context.of(request))))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ID).and(TermFields.of(taxonomy).arguments()))
                .servedBy(
                        request -> {
                            Term term = term(request, taxonomy);
                            request.require(
                                    Capability.MANAGE_TERMS,
                                    "rest_cannot_update",
                                    "Sorry, you are not allowed to edit this term.");
                            return term;
                        },
                        (request, term) -> RestAnswer.ok(show(request, writer.update(request, term), Context.EDIT)))
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ID, FORCE))
                .servedBy(
                        request -> {
                            Term term = term(request, taxonomy);
                            if (term.id() == Term.DEFAULT_CATEGORY
                                    || !request.caller().may(Capability.MANAGE_TERMS)) {
                                throw RestError.forbidden(
                                        request.caller(),
                                        "rest_cannot_delete",
                                        "Sorry, you are not allowed to delete this term.");
                            }
                            return term;
                        },
                        this::delete)
                .build();
    }

    /** Who may only make tags does not edit them. */
    private static void toShow(RestRequest request) {
        if (Context.of(request) == Context.EDIT) {
            request.require(
                    Capability.MANAGE_TERMS,
                    "rest_forbidden_context",
                    "Sorry, you are not allowed to edit terms in this taxonomy.");
        }
    }

    private RestAnswer create(RestRequest request, Taxonomy taxonomy) {
        Term term = writer.create(request, taxonomy);
        return RestAnswer.created(
                show(request, term, Context.EDIT),
                RestAddress.of(request.baseUrl(), taxonomy.route() + "/" + term.id()));
    }

    private RestAnswer delete(RestRequest request, Term term) {
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Terms do not support trashing. Set 'force=true' to delete.");
        }
        ObjectNode previous = show(request, term, Context.VIEW);
        writer.delete(term);
        return RestAnswer.deleted(previous);
    }

    private Term term(RestRequest request, Taxonomy taxonomy) {
        return terms.find(request, new Named(taxonomy, request.arguments().number("id")))
                .orElseThrow(TermWriter::gone);
    }

    private RestAnswer list(RestRequest request, Taxonomy taxonomy, Filters listed) {
        Arguments.Values wanted = request.arguments();
        if (wanted.integer("post").isPresent()) {
            long item = wanted.number("post");
            // What a caller may not read is sorted by no term, as what is not there.
            if (items.readable(request, List.of(item)).isEmpty()) {
                return Paging.answer(request, JsonNodeFactory.instance.arrayNode(), 0, 0);
            }
            if (NARROWING.stream().noneMatch(name -> request.raw(name).isPresent())) {
                return listOfItem(request, taxonomy, item, wanted.number("per_page"));
            }
        }
        PageQuery query = TermFilters.query(taxonomy, listed.conditions(request), wanted);
        PageQuery.Page<Term> found = store.list(query);
        return Paging.answerFrom(request, show(request, found.rows()), found.total(), query.limit(), query.offset());
    }

    /** All terms of one item, by name: they are few, and a page of items links to those of each. */
    private RestAnswer listOfItem(RestRequest request, Taxonomy taxonomy, long item, long perPage) {
        List<Term> all = store.termsOf(request, List.of(item)).getOrDefault(item, List.of()).stream()
                .filter(term -> term.taxonomy() == taxonomy)
                .toList();
        List<Term> first = all.subList(0, (int) Math.min(perPage, all.size()));
        return Paging.answer(request, show(request, first), all.size(), Paging.pages(all.size(), perPage));
    }

    private ArrayNode show(RestRequest request, List<Term> found) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        Context context = Context.of(request);
        Map<Long, Long> counts = counts(found, context);
        found.forEach(term -> list.add(show(request, term, context, counts)));
        return list;
    }

    private ObjectNode show(RestRequest request, Term term, Context context) {
        return show(request, term, context, counts(List.of(term), context));
    }

    private Map<Long, Long> counts(List<Term> found, Context context) {
        return context == Context.EMBED
                ? Map.of()
                : store.counts(found.stream().map(Term::id).toList());
    }

    private static ObjectNode show(RestRequest request, Term term, Context context, Map<Long, Long> counts) {
        Taxonomy taxonomy = term.taxonomy();
        String base = request.baseUrl();
        ObjectNode node = TermFields.of(taxonomy)
                .show(request, new TermFields.Shown(term, counts.getOrDefault(term.id(), 0L), base), context);
        ObjectNode links = node.putObject("_links");
        RestAddress.link(links, "self", RestAddress.of(base, taxonomy.route() + "/" + term.id()));
        RestAddress.link(links, "collection", RestAddress.of(base, taxonomy.route()));
        RestAddress.link(links, "about", RestAddress.of(base, "/cms/v2/taxonomies/" + taxonomy.wireName()));
        if (term.parent() > 0) {
            RestAddress.link(links, "up", RestAddress.of(base, taxonomy.route() + "/" + term.parent()))
                    .put("embeddable", true);
        }
        RestAddress.link(
                links, "wp:post_type", RestAddress.with(base, "/cms/v2/posts", taxonomy.collection(), term.id()));
        RestAddress.putCuries(links);
        return node;
    }

    private ObjectNode describe(Taxonomy taxonomy) {
        return TermFields.of(taxonomy).describe(taxonomy == Taxonomy.TAG ? "tag" : taxonomy.wireName());
    }
}

package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/** Categories and tags. They are not in the interface's document; its clients sort posts by them. */
@Component
@Order(400)
class TermRoutes implements RouteSource {
    private static final Argument ID = Argument.optional("id", Schema.integer().describedAs("The number of the term."));
    private static final Argument FORCE = Argument.optional(
            "force",
            Schema.bool().describedAs("Must be true: terms have no trash.").defaultsTo(false));

    private final TermService terms;
    private final TermView view;

    TermRoutes(TermService terms, TermView view) {
        this.terms = terms;
        this.view = view;
    }

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
        Filters<SqlCondition> listed = TermFilters.of(taxonomy);
        return Route.in("cms/v2")
                .at("/" + taxonomy.collection())
                .describedBy(base -> describe(taxonomy))
                .on(RestMethod.GET)
                .accepts(listed.arguments())
                .foreseeing(terms::foresee)
                .allowedTo(TermRoutes::toShow)
                .servedBy(request -> terms.list(request, taxonomy, listed))
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
        return Route.in("cms/v2")
                .at("/" + taxonomy.collection() + "/<id>")
                .describedBy(base -> describe(taxonomy))
                .on(RestMethod.GET)
                .accepts(Arguments.of(ID, Context.ARGUMENT))
                .about(request -> {
                    Term term = terms.term(request, taxonomy);
                    toShow(request);
                    return term;
                })
                .servedBy((request, term) -> show(request, term, Context.of(request)))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ID).and(TermFields.of(taxonomy).arguments()))
                .about(request -> {
                    Term term = terms.term(request, taxonomy);
                    request.require(
                            Capability.MANAGE_TERMS,
                            "rest_cannot_update",
                            "Sorry, you are not allowed to edit this term.");
                    return term;
                })
                .servedBy((request, term) -> show(request, terms.update(request, term), Context.EDIT))
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ID, FORCE))
                .about(request -> {
                    Term term = terms.term(request, taxonomy);
                    if (term.id() == Term.DEFAULT_CATEGORY || !request.caller().may(Capability.MANAGE_TERMS)) {
                        throw RestError.forbidden(
                                request.caller(),
                                "rest_cannot_delete",
                                "Sorry, you are not allowed to delete this term.");
                    }
                    return term;
                })
                .servedBy(this::delete)
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

    private RestAnswer show(RestRequest request, Term term, Context context) {
        return RestAnswer.ok(view.show(request, term, context));
    }

    private RestAnswer create(RestRequest request, Taxonomy taxonomy) {
        Term term = terms.create(request, taxonomy);
        return RestAnswer.created(
                view.show(request, term, Context.EDIT),
                RestAddress.of(request.baseUrl(), taxonomy.route() + "/" + term.id()));
    }

    private RestAnswer delete(RestRequest request, Term term) {
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Terms do not support trashing. Set 'force=true' to delete.");
        }
        ObjectNode previous = view.show(request, term, Context.VIEW);
        terms.delete(term);
        return RestAnswer.deleted(previous);
    }

    private ObjectNode describe(Taxonomy taxonomy) {
        return TermFields.of(taxonomy).describe(taxonomy == Taxonomy.TAG ? "tag" : taxonomy.wireName());
    }
}

package io.github.ratelimit.content.term;

import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Categories and tags. They are not in the interface's document; its clients sort posts by them. */
@Component
@Order(400)
class TermRoutes implements RouteSource {
    private static final String[] EVERYWHERE = {"view", "edit", "embed"};
    private static final String[] NOT_EMBEDDED = {"view", "edit"};

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
        return Route.in("cms/v2")
                .at("/" + taxonomy.collection())
                .describedBy(base -> describe(taxonomy))
                .on(RestMethod.GET)
                .accepts(listArguments(taxonomy))
                .allowedTo(toList(taxonomy))
                .servedBy(request -> terms.list(request, taxonomy))
                .on(RestMethod.POST)
                .accepts(writable(taxonomy, true))
                .allowedTo(request -> require(
                        request,
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
                .allowedTo(request -> {
                    terms.term(request, taxonomy);
                    toList(taxonomy).check(request);
                })
                .servedBy(request ->
                        RestAnswer.ok(view.show(request, terms.term(request, taxonomy), Context.of(request))))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ID).and(writable(taxonomy, false)))
                .allowedTo(request -> {
                    terms.term(request, taxonomy);
                    require(
                            request,
                            Capability.MANAGE_TERMS,
                            "rest_cannot_update",
                            "Sorry, you are not allowed to edit this term.");
                })
                .servedBy(request -> RestAnswer.ok(
                        view.show(request, terms.update(request, terms.term(request, taxonomy)), Context.EDIT)))
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ID, FORCE))
                .allowedTo(request -> {
                    Term term = terms.term(request, taxonomy);
                    if (term.id() == Term.DEFAULT_CATEGORY || !request.caller().may(Capability.MANAGE_TERMS)) {
                        throw RestError.forbidden(
                                request.caller(),
                                "rest_cannot_delete",
                                "Sorry, you are not allowed to delete this term.");
                    }
                })
                .servedBy(request -> delete(request, taxonomy))
                .build();
    }

    private static Permission toList(Taxonomy taxonomy) {
        return request -> {
            if (Context.of(request) == Context.EDIT) {
                require(
                        request,
                        taxonomy.create(),
                        "rest_forbidden_context",
                        "Sorry, you are not allowed to edit terms in this taxonomy.");
            }
        };
    }

    private static void require(RestRequest request, Capability capability, String code, String message) {
        if (!request.caller().may(capability)) {
            throw RestError.forbidden(request.caller(), code, message);
        }
    }

    private RestAnswer create(RestRequest request, Taxonomy taxonomy) {
        Term term = terms.create(request, taxonomy);
        return RestAnswer.created(
                view.show(request, term, Context.EDIT),
                RestAddress.of(request.baseUrl(), taxonomy.route() + "/" + term.id()));
    }

    private RestAnswer delete(RestRequest request, Taxonomy taxonomy) {
        Term term = terms.term(request, taxonomy);
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Terms do not support trashing. Set 'force=true' to delete.");
        }
        ObjectNode previous = view.show(request, term, Context.VIEW);
        previous.remove("_links");
        terms.delete(term);
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("deleted", true);
        return RestAnswer.ok(body.set("previous", previous));
    }

    private static Arguments listArguments(Taxonomy taxonomy) {
        Arguments arguments = Arguments.of(
                Context.ARGUMENT,
                Argument.optional(
                        "page",
                        Schema.integer()
                                .describedAs("Which page.")
                                .defaultsTo(1)
                                .minimum(1)),
                Argument.optional(
                        "per_page",
                        Schema.integer()
                                .describedAs("How many terms a page has.")
                                .defaultsTo(10)
                                .minimum(1)
                                .maximum(100)),
                Argument.optional("search", Schema.string().describedAs("Part of a name or a slug.")),
                ids("exclude", "Other terms than these."),
                ids("include", "These terms."),
                Argument.optional(
                        "order",
                        Schema.string()
                                .describedAs("Which way to sort.")
                                .defaultsTo("asc")
                                .among("asc", "desc")),
                Argument.optional(
                        "orderby",
                        Schema.string()
                                .describedAs("What to sort by.")
                                .defaultsTo("name")
                                .among(
                                        "id",
                                        "include",
                                        "name",
                                        "slug",
                                        "include_slugs",
                                        "term_group",
                                        "description",
                                        "count")),
                Argument.optional(
                        "hide_empty",
                        Schema.bool()
                                .describedAs("Whether to leave out terms that sort nothing.")
                                .defaultsTo(false)));
        arguments = taxonomy.isHierarchical()
                ? arguments.and(Argument.optional("parent", Schema.integer().describedAs("Directly below this term.")))
                : arguments.and(Argument.optional(
                        "offset", Schema.integer().describedAs("How many terms to leave out at the start.")));
        return arguments.and(
                Argument.optional("post", Schema.integer().describedAs("Those that sort this item.")),
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")));
    }

    private static Argument ids(String name, String description) {
        return Argument.optional(
                name, Schema.arrayOf(Schema.integer()).describedAs(description).defaultsToNone());
    }

    private static Map<String, Schema> fields(Taxonomy taxonomy) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put(
                "id",
                Schema.integer().describedAs("Its number.").context(EVERYWHERE).readOnly());
        fields.put(
                "count",
                Schema.integer()
                        .describedAs("How many published posts it sorts.")
                        .context(NOT_EMBEDDED)
                        .readOnly());
        fields.put(
                "description", Schema.string().describedAs("What it is about.").context(NOT_EMBEDDED));
        fields.put(
                "link",
                Schema.string()
                        .describedAs("The address of its page.")
                        .format("uri")
                        .context(EVERYWHERE)
                        .readOnly());
        fields.put("name", Schema.string().describedAs("As people read it.").context(EVERYWHERE));
        fields.put("slug", Schema.string().describedAs("Its name in addresses.").context(EVERYWHERE));
        fields.put(
                "taxonomy",
                Schema.string()
                        .describedAs("What it is.")
                        .among(taxonomy.wireName())
                        .context(EVERYWHERE)
                        .readOnly());
        if (taxonomy.isHierarchical()) {
            fields.put(
                    "parent",
                    Schema.integer().describedAs("The term it stands below.").context(NOT_EMBEDDED));
        }
        fields.put(
                "meta",
                Schema.object()
                        .describedAs("What tools keep with it.")
                        .context(NOT_EMBEDDED)
                        .withoutProperties());
        return fields;
    }

    private static Arguments writable(Taxonomy taxonomy, boolean isNew) {
        Arguments arguments = Arguments.none();
        for (Map.Entry<String, Schema> field : fields(taxonomy).entrySet()) {
            Schema schema = field.getValue().without("context");
            if (field.getValue().isReadOnly()) {
                continue;
            }
            arguments = arguments.and(
                    isNew && field.getKey().equals("name")
                            ? Argument.required("name", schema)
                            : Argument.optional(field.getKey(), schema));
        }
        return arguments;
    }

    private static ObjectNode describe(Taxonomy taxonomy) {
        String title = taxonomy == Taxonomy.TAG ? "tag" : taxonomy.wireName();
        return Schema.describeThing(title, fields(taxonomy));
    }
}

package io.github.ratelimit.content.cms.index;

import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.item.ItemView;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.util.List;
import java.util.function.Function;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the links {@code about} of items and terms lead to: the types and the taxonomies, which nobody can change. */
@Component
@Order(300)
class TypeRoutes implements RouteSource {
    private static final String NAMESPACE = "cms/v2";
    private static final String TYPES = "/types";
    private static final String TAXONOMIES = "/taxonomies";

    /** Something that is described: by its name, if the caller may see it in the context that is asked for. */
    private record Described(String name, boolean isShown, Function<RestRequest, ObjectNode> view) {}

    @Override
    public List<Route> routes() {
        return List.of(
                list(TYPES, TypeRoutes::types),
                one(TYPES, "type", TypeRoutes::types, "rest_type_invalid", "Invalid post type."),
                list(TAXONOMIES, TypeRoutes::taxonomies),
                one(TAXONOMIES, "taxonomy", TypeRoutes::taxonomies, "rest_taxonomy_invalid", "Invalid taxonomy."));
    }

    private static Route list(String path, Function<RestRequest, List<Described>> all) {
        return Route.in(NAMESPACE)
                .at(path)
                .on(RestMethod.GET)
                .accepts(Arguments.of(Context.ARGUMENT))
                .allowedTo(request -> {
                    if (all.apply(request).stream().noneMatch(Described::isShown)) {
                        throw RestError.forbidden(
                                request.caller(), "rest_cannot_view", "Sorry, you are not allowed to edit posts here.");
                    }
                })
                .servedBy(request -> {
                    ObjectNode list = JsonNodeFactory.instance.objectNode();
                    all.apply(request).stream()
                            .filter(Described::isShown)
                            .forEach(item -> list.set(item.name(), item.view().apply(request)));
                    return RestAnswer.ok(list);
                })
                .build();
    }

    private static Route one(
            String path, String name, Function<RestRequest, List<Described>> all, String code, String message) {
        return Route.in(NAMESPACE)
                .at(path + "/<" + name + ":[\\w-]+>")
                .on(RestMethod.GET)
                .accepts(Arguments.of(
                        Argument.optional(name, Schema.string().describedAs("Its name.")), Context.ARGUMENT))
                .allowedTo(Permission.ANYONE)
                .servedBy(request -> {
                    String wanted = request.arguments().text(name).orElse("");
                    Described found = all.apply(request).stream()
                            .filter(item -> item.name().equals(wanted))
                            .findFirst()
                            .orElseThrow(() -> RestError.of(404, code, message));
                    if (!found.isShown()) {
                        throw RestError.forbidden(
                                request.caller(),
                                "rest_forbidden_context",
                                "Sorry, you are not allowed to edit posts in this post type.");
                    }
                    return RestAnswer.ok(found.view().apply(request));
                })
                .build();
    }

    private static List<Described> types(RestRequest request) {
        boolean isEdit = Context.of(request) == Context.EDIT;
        return ItemType.shown().stream()
                .map(type -> new Described(
                        type.wireName(),
                        !isEdit || request.caller().may(type.kind().edit()),
                        asked -> show(asked, type)))
                .toList();
    }

    private static ObjectNode show(RestRequest request, ItemType type) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        boolean isWhole = Context.of(request) != Context.EMBED;
        if (isWhole) {
            node.put("description", "");
            node.put("hierarchical", type.has(Feature.TREE));
            node.put("has_archive", false);
        }
        node.put("name", type.title());
        node.put("slug", type.wireName());
        node.put("icon", "dashicons-admin-" + (type == ItemType.ATTACHMENT ? "media" : type.wireName()));
        if (isWhole) {
            var taxonomies = node.putArray("taxonomies");
            if (type.has(Feature.TERMS)) {
                for (Taxonomy taxonomy : Taxonomy.values()) {
                    taxonomies.add(taxonomy.wireName());
                }
            }
        }
        putPlace(node, type.route());
        if (isWhole) {
            node.putArray("template");
            node.put("template_lock", false);
        }
        return node.set("_links", links(request, TYPES, type.route()));
    }

    private static List<Described> taxonomies(RestRequest request) {
        boolean isEdit = Context.of(request) == Context.EDIT;
        return List.of(Taxonomy.values()).stream()
                .map(taxonomy -> new Described(
                        taxonomy.wireName(),
                        !isEdit || request.caller().may(taxonomy.create()),
                        asked -> show(asked, taxonomy)))
                .toList();
    }

    private static ObjectNode show(RestRequest request, Taxonomy taxonomy) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        boolean isWhole = Context.of(request) != Context.EMBED;
        node.put("name", taxonomy == Taxonomy.TAG ? "Tags" : "Categories");
        node.put("slug", taxonomy.wireName());
        if (isWhole) {
            node.put("description", "");
            ArrayNode types = node.putArray("types");
            ItemType.shown().stream()
                    .filter(type -> type.has(Feature.TERMS))
                    .forEach(type -> types.add(type.wireName()));
            node.put("hierarchical", taxonomy.isHierarchical());
        }
        putPlace(node, taxonomy.route());
        return node.set("_links", links(request, TAXONOMIES, taxonomy.route()));
    }

    private static void putPlace(ObjectNode node, String route) {
        node.put("rest_base", route.substring(route.lastIndexOf('/') + 1));
        node.put("rest_namespace", NAMESPACE);
    }

    private static ObjectNode links(RestRequest request, String collection, String items) {
        ObjectNode links = JsonNodeFactory.instance.objectNode();
        ItemView.link(links, "collection", RestAddress.of(request.baseUrl(), "/" + NAMESPACE + collection));
        ItemView.link(links, "wp:items", RestAddress.of(request.baseUrl(), items));
        ItemView.putCuries(links);
        return links;
    }
}

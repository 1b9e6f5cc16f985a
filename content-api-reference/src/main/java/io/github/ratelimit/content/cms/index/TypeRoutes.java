package io.github.ratelimit.content.cms.index;

import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The types of items and the taxonomies, to which the links {@code about} lead. They never change. */
@Component
@Order(300)
class TypeRoutes implements Route.Source {
    private static final String NAMESPACE = "cms/v2";
    private static final String TYPES = "/types";
    private static final String TAXONOMIES = "/taxonomies";

    @Override
    public List<Route> routes() {
        return List.of(
                list(TYPES, TypeRoutes::types),
                one(TYPES, "type", TypeRoutes::types, TypeRoutes::toEdit, "rest_type_invalid", "Invalid post type."),
                list(TAXONOMIES, TypeRoutes::taxonomies),
                one(
                        TAXONOMIES,
                        "taxonomy",
                        TypeRoutes::taxonomies,
                        request -> Capability.EDIT_POSTS,
                        "rest_taxonomy_invalid",
                        "Invalid taxonomy."));
    }

    private static Route list(String path, Function<RestRequest, Map<String, ObjectNode>> all) {
        return Route.at(NAMESPACE, path)
                .on(RestMethod.GET)
                .accepts(Arguments.of(Context.ARGUMENT))
                .allowedTo(editing("rest_cannot_view", request -> Capability.EDIT_POSTS))
                .servedBy(request -> {
                    ObjectNode list = JsonNodeFactory.instance.objectNode();
                    all.apply(request).forEach(list::set);
                    return RestAnswer.ok(list);
                })
                .build();
    }

    private static Route one(
            String path,
            String name,
            Function<RestRequest, Map<String, ObjectNode>> all,
            Function<RestRequest, Capability> needed,
            String code,
            String message) {
        return Route.at(NAMESPACE, path + "/<" + name + ":[\\w-]+>")
                .on(RestMethod.GET)
                .accepts(Arguments.of(Argument.optional(name, Schema.string("Its name.")), Context.ARGUMENT))
                .allowedTo(editing("rest_forbidden_context", needed))
                .servedBy(request -> Optional.ofNullable(all.apply(request)
                                .get(request.arguments().text(name).orElse("")))
                        .map(RestAnswer::ok)
                        .orElseThrow(() -> RestError.of(404, code, message)))
                .build();
    }

    private static Route.Permission editing(String code, Function<RestRequest, Capability> needed) {
        return request -> {
            if (Context.of(request) == Context.EDIT) {
                request.require(needed.apply(request), code, "Sorry, you are not allowed to edit posts here.");
            }
        };
    }

    private static Capability toEdit(RestRequest request) {
        String wanted = request.arguments().text("type").orElse("");
        return ItemType.shown().stream()
                .filter(type -> type.wireName().equals(wanted))
                .map(type -> type.capabilities().edit())
                .findFirst()
                .orElse(Capability.EDIT_POSTS);
    }

    private static Map<String, ObjectNode> types(RestRequest request) {
        Map<String, ObjectNode> types = new LinkedHashMap<>();
        for (ItemType type : ItemType.shown()) {
            ObjectNode node = described(request, type.title(), type.wireName(), type.has(Feature.TREE));
            if (Context.of(request) != Context.EMBED) {
                node.put("has_archive", false);
                ArrayNode taxonomies = node.putArray("taxonomies");
                if (type.has(Feature.TERMS)) {
                    List.of(Taxonomy.values()).forEach(taxonomy -> taxonomies.add(taxonomy.wireName()));
                }
            }
            types.put(type.wireName(), linked(request, node, TYPES, type.route()));
        }
        return types;
    }

    private static Map<String, ObjectNode> taxonomies(RestRequest request) {
        Map<String, ObjectNode> taxonomies = new LinkedHashMap<>();
        for (Taxonomy taxonomy : Taxonomy.values()) {
            String title = taxonomy == Taxonomy.TAG ? "Tags" : "Categories";
            ObjectNode node = described(request, title, taxonomy.wireName(), taxonomy.isHierarchical());
            if (Context.of(request) != Context.EMBED) {
                ArrayNode types = node.putArray("types");
                ItemType.shown().stream()
                        .filter(type -> type.has(Feature.TERMS))
                        .forEach(type -> types.add(type.wireName()));
            }
            taxonomies.put(taxonomy.wireName(), linked(request, node, TAXONOMIES, taxonomy.route()));
        }
        return taxonomies;
    }

    private static ObjectNode described(RestRequest request, String title, String name, boolean isHierarchical) {
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("name", title).put("slug", name);
        return Context.of(request) == Context.EMBED
                ? node
                : node.put("description", "").put("hierarchical", isHierarchical);
    }

    private static ObjectNode linked(RestRequest request, ObjectNode node, String collection, String items) {
        node.put("rest_base", items.substring(items.lastIndexOf('/') + 1));
        node.put("rest_namespace", NAMESPACE);
        ObjectNode links = node.putObject("_links");
        RestAddress.link(links, "collection", RestAddress.of(request.baseUrl(), "/" + NAMESPACE + collection));
        RestAddress.link(links, "wp:items", RestAddress.of(request.baseUrl(), items));
        RestAddress.putCuries(links);
        return node;
    }
}

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
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
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

    private static final List<String> MANY = List.of(
            "edit",
            "edit_others",
            "edit_private",
            "edit_published",
            "delete",
            "delete_others",
            "delete_private",
            "delete_published",
            "publish",
            "read_private");
    private static final List<String> SHOWN_TAXONOMY = List.of(
            "public", "publicly_queryable", "show_admin_column", "show_in_nav_menus", "show_in_quick_edit", "show_ui");
    private static final Map<Feature, List<String>> SUPPORTS = Map.of(
            Feature.TEXT, List.of("editor", "excerpt", "thumbnail", "custom-fields", "revisions", "autosave"),
            Feature.TREE, List.of("page-attributes"),
            Feature.FORMATS, List.of("post-formats"),
            Feature.COMMENTS, List.of("comments"),
            Feature.PINGS, List.of("trackbacks"));
    private static final Map<ItemType, String> SINGULAR =
            Map.of(ItemType.POST, "Post", ItemType.PAGE, "Page", ItemType.ATTACHMENT, "Media");
    private static final Argument OF_TYPE =
            Argument.optional("type", Schema.string().describedAs("The type of items that they sort."));

    /** Something that is described: by its name, if the caller may see it in the context that is asked for. */
    private record Described(String name, boolean isShown, Function<RestRequest, ObjectNode> view) {}

    @Override
    public List<Route> routes() {
        return List.of(
                list(TYPES, TypeRoutes::types),
                one(TYPES, "type", TypeRoutes::types, "rest_type_invalid", "Invalid post type."),
                list(TAXONOMIES, TypeRoutes::taxonomiesOfOneType, OF_TYPE),
                one(TAXONOMIES, "taxonomy", TypeRoutes::taxonomies, "rest_taxonomy_invalid", "Invalid taxonomy."));
    }

    private static Route list(String path, Function<RestRequest, List<Described>> all, Argument... further) {
        return Route.in(NAMESPACE)
                .at(path)
                .on(RestMethod.GET)
                .accepts(Arguments.of(Context.ARGUMENT).and(Arguments.of(further)))
                .allowedTo(request -> {
                    if (Context.of(request) == Context.EDIT
                            && all.apply(request).stream().noneMatch(Described::isShown)) {
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
                        !isEdit || request.caller().may(type.capabilities().edit()),
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
        if (Context.of(request) == Context.EDIT) {
            node.set("capabilities", capabilities(type));
            node.set("labels", labels(type.title(), SINGULAR.getOrDefault(type, type.title())));
            node.set("supports", supports(type));
            node.put("viewable", true);
            node.putObject("visibility")
                    .put("show_in_nav_menus", type != ItemType.ATTACHMENT)
                    .put("show_ui", true);
        }
        return node.set("_links", links(request, TYPES, type.route()));
    }

    /** Names what is asked for, as clients look it up among the capabilities of an account. */
    private static ObjectNode capabilities(ItemType type) {
        ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
        String one = type == ItemType.PAGE ? "page" : "post";
        for (String action : List.of("edit", "read", "delete")) {
            capabilities.put(action + "_post", action + "_" + one);
        }
        for (String action : MANY) {
            capabilities.put(action + "_posts", action + "_" + one + "s");
        }
        capabilities.put("read", "read");
        return capabilities.put("create_posts", type == ItemType.ATTACHMENT ? "upload_files" : "edit_" + one + "s");
    }

    private static ObjectNode labels(String many, String one) {
        return JsonNodeFactory.instance.objectNode().put("name", many).put("singular_name", one);
    }

    private static ObjectNode supports(ItemType type) {
        ObjectNode supports =
                JsonNodeFactory.instance.objectNode().put("title", true).put("author", true);
        for (Feature feature : Feature.values()) {
            if (type.has(feature)) {
                SUPPORTS.getOrDefault(feature, List.of()).forEach(name -> supports.put(name, true));
            }
        }
        return supports;
    }

    private static List<Described> taxonomiesOfOneType(RestRequest request) {
        Optional<String> wanted = request.arguments().text("type");
        boolean isSorted =
                wanted.isEmpty() || sorted().anyMatch(type -> type.wireName().equals(wanted.get()));
        return isSorted ? taxonomies(request) : List.of();
    }

    private static Stream<ItemType> sorted() {
        return ItemType.shown().stream().filter(type -> type.has(Feature.TERMS));
    }

    private static List<Described> taxonomies(RestRequest request) {
        boolean isEdit = Context.of(request) == Context.EDIT;
        return List.of(Taxonomy.values()).stream()
                .map(taxonomy -> new Described(
                        taxonomy.wireName(),
                        !isEdit || request.caller().may(Capability.EDIT_POSTS),
                        asked -> show(asked, taxonomy)))
                .toList();
    }

    private static ObjectNode show(RestRequest request, Taxonomy taxonomy) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        boolean isWhole = Context.of(request) != Context.EMBED;
        node.put("name", title(taxonomy));
        node.put("slug", taxonomy.wireName());
        if (isWhole) {
            node.put("description", "");
            ArrayNode types = node.putArray("types");
            sorted().forEach(type -> types.add(type.wireName()));
            node.put("hierarchical", taxonomy.isHierarchical());
        }
        putPlace(node, taxonomy.route());
        if (Context.of(request) == Context.EDIT) {
            ObjectNode capabilities = node.putObject("capabilities");
            String terms = taxonomy == Taxonomy.TAG ? "post_tags" : "categories";
            for (String action : List.of("manage", "edit", "delete", "assign")) {
                capabilities.put(action + "_terms", action + "_" + terms);
            }
            node.set("labels", labels(title(taxonomy), taxonomy == Taxonomy.TAG ? "Tag" : "Category"));
            node.put("show_cloud", true);
            ObjectNode visibility = node.putObject("visibility");
            SHOWN_TAXONOMY.forEach(name -> visibility.put(name, true));
        }
        return node.set("_links", links(request, TAXONOMIES, taxonomy.route()));
    }

    private static String title(Taxonomy taxonomy) {
        return taxonomy == Taxonomy.TAG ? "Tags" : "Categories";
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

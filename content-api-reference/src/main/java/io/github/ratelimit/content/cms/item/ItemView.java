package io.github.ratelimit.content.cms.item;

import static io.github.ratelimit.content.cms.rest.RestAddress.link;
import static io.github.ratelimit.content.cms.rest.RestAddress.putCuries;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.Term;
import io.github.ratelimit.content.cms.term.TermStore;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an answer shows of an item, in the context that was asked for, with its links.
 *
 * <p>Editors' tools learn which actions they may offer: described with the schema of items, and linked to for callers who may.
 *
 * <p>What an item is shown with (terms, revisions) is looked up for all items of an answer at once.
 */
@Component
public class ItemView {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ZoneId zone;
    private final Lookup<Long, ItemStore.History> histories;
    private final TermStore terms;
    private final ItemFinder access;
    private final ItemSlugs slugs;

    ItemView(CmsSettings.Site site, ItemStore items, TermStore terms, ItemFinder access, ItemSlugs slugs) {
        this.zone = site.timezone();
        this.histories = Lookup.ofSeveral(items::histories);
        this.terms = terms;
        this.access = access;
        this.slugs = slugs;
    }

    /** What several items are shown with. */
    private record Related(
            Map<Long, List<Term>> terms,
            Map<Long, ItemStore.History> histories,
            Map<Long, ItemType> parents,
            Set<Long> pictures) {}

    /**
     * Shows one item.
     *
     * @param request who asks, and in which words
     * @param item what to show
     * @param context how much of it
     * @return a tree of its own, {@code _links} last
     */
    public ObjectNode show(RestRequest request, Item item, Context context) {
        return (ObjectNode) show(request, List.of(item), context).get(0);
    }

    /**
     * Shows several items.
     *
     * @param request who asks, and in which words
     * @param shown what to show
     * @param context how much of each
     * @return a list of its own
     */
    public ArrayNode show(RestRequest request, Collection<Item> shown, Context context) {
        return show(request, shown, context, ItemView::members);
    }

    private static ObjectNode members(ShownItem item) {
        return ItemFields.of(item.item().type()).show(item.request(), item, item.context());
    }

    /**
     * Shows several items by members of another table.
     *
     * @param request who asks, and in which words
     * @param shown what to show
     * @param context how much of each
     * @param table shows the members of one
     * @return a list of its own
     */
    public ArrayNode show(
            RestRequest request, Collection<Item> shown, Context context, Function<ShownItem, ObjectNode> table) {
        ArrayNode list = JSON.arrayNode();
        Related related = related(request, shown);
        for (Item item : shown) {
            List<Term> sorted = related.terms().getOrDefault(item.id(), List.of());
            boolean isOpen = ItemPermissions.isOpen(request, item, context);
            ObjectNode node =
                    table.apply(new ShownItem(request, item, context, zone, isOpen, sorted, slugs::generated));
            node.set("_links", links(request, item, context, related));
            list.add(node);
        }
        return list;
    }

    /**
     * Looks up at once what several items will be shown with, one by one.
     *
     * @param request keeps it
     * @param shown what will be shown
     */
    public void foresee(RestRequest request, Collection<Item> shown) {
        related(request, shown);
    }

    private Related related(RestRequest request, Collection<Item> shown) {
        List<Long> posts = new ArrayList<>();
        List<Long> revised = new ArrayList<>();
        List<Long> parents = new ArrayList<>();
        List<Long> pictures = new ArrayList<>();
        for (Item item : shown) {
            if (item.type().has(Feature.TERMS)) {
                posts.add(item.id());
            }
            if (item.type().has(Feature.TEXT)) {
                revised.add(item.id());
            }
            if (item.type().has(Feature.TREE) && item.parent() > 0) {
                parents.add(item.parent());
            }
            if (item.featuredMedia() > 0) {
                pictures.add(item.featuredMedia());
            }
        }
        Map<Long, ItemType> types = new HashMap<>();
        access.headers(request, parents).forEach((id, item) -> types.put(id, item.type()));
        return new Related(
                terms.termsOf(request, posts),
                histories.findAll(request, revised),
                types,
                access.readable(request, pictures));
    }

    private ObjectNode links(RestRequest request, Item item, Context context, Related related) {
        String base = request.baseUrl();
        String self = RestAddress.of(base, item.type().route(item.id()));
        ObjectNode links = JSON.objectNode();
        ObjectNode own = link(links, "self", self);
        putAllowed(own, request, item);
        link(links, "collection", RestAddress.of(base, item.type().route()));
        link(links, "about", RestAddress.of(base, "/cms/v2/types/" + item.type().wireName()));
        if (item.author() > 0) {
            embeddable(links, "author", RestAddress.of(base, "/cms/v2/users/" + item.author()));
        }
        embeddable(links, "replies", RestAddress.with(base, "/cms/v2/comments", "post", item.id()));
        boolean hasCuries = false;
        if (item.type().has(Feature.TEXT)) {
            putHistory(links, self, related.histories().getOrDefault(item.id(), ItemStore.History.NONE));
            ItemType above = related.parents().get(item.parent());
            if (item.type().has(Feature.TREE) && above != null) {
                embeddable(links, "up", RestAddress.of(base, above.route(item.parent())));
            }
        }
        if (related.pictures().contains(item.featuredMedia())) {
            String picture = ItemType.ATTACHMENT.route(item.featuredMedia());
            embeddable(links, "wp:featuredmedia", RestAddress.of(base, picture));
            hasCuries = true;
        }
        if (item.type().has(Feature.TEXT)) {
            link(links, "wp:attachment", RestAddress.with(base, ItemType.ATTACHMENT.route(), "parent", item.id()));
            hasCuries = true;
        }
        if (item.type().has(Feature.TERMS)) {
            putTerms(links, base, item);
        }
        if (context == Context.EDIT) {
            hasCuries |= linkActions(links, self, request.caller(), item.type());
        }
        if (hasCuries) {
            putCuries(links);
        }
        return links;
    }

    private void putAllowed(ObjectNode own, RestRequest request, Item item) {
        ArrayNode allow = JSON.arrayNode();
        if (access.mayRead(request, item)) {
            allow.add("GET");
        }
        if (item.rightsOf(request.caller()).mayEdit()) {
            allow.add("POST").add("PUT").add("PATCH");
        }
        if (item.rightsOf(request.caller()).mayDelete()) {
            allow.add("DELETE");
        }
        if (!allow.isEmpty()) {
            own.putObject("targetHints").set("allow", allow);
        }
    }

    private static void putHistory(ObjectNode links, String self, ItemStore.History history) {
        ObjectNode versions = links.putArray("version-history").addObject().put("count", history.count());
        versions.put("href", self + "/revisions");
        if (history.count() > 0) {
            ObjectNode last = links.putArray("predecessor-version").addObject().put("id", history.latest());
            last.put("href", self + "/revisions/" + history.latest());
        }
    }

    private static void putTerms(ObjectNode links, String base, Item item) {
        ArrayNode list = links.putArray("wp:term");
        for (Taxonomy taxonomy : Taxonomy.values()) {
            ObjectNode link = list.addObject().put("taxonomy", taxonomy.wireName());
            link.put("embeddable", true);
            link.put("href", RestAddress.with(base, taxonomy.route(), "post", item.id()));
        }
    }

    private static void embeddable(ObjectNode links, String relation, String href) {
        links.putArray(relation).addObject().put("embeddable", true).put("href", href);
    }

    /**
     * One button of a tool.
     *
     * @param name behind {@code action-}
     * @param can what it does
     * @param field the member that is sent
     * @param schema what is sent
     * @param isFor who may
     */
    private record Action(String name, String can, String field, ObjectNode schema, Predicate<Caller> isFor) {
        Action(String name, String can, String field, Schema schema, Predicate<Caller> isFor) {
            this(name, can, field, schema.describe(), isFor);
        }
    }

    private static List<Action> actions(ItemType type) {
        List<Action> actions = new ArrayList<>();
        if (type.has(Feature.TEXT)) {
            Schema status = Schema.string().among("publish", "future");
            Predicate<Caller> mayPublish =
                    caller -> caller.may(type.capabilities().publish());
            actions.add(new Action("publish", "publish this post", "status", status, mayPublish));
        }
        ObjectNode text = JSON.objectNode();
        text.putObject("raw").put("type", "string");
        Predicate<Caller> isTrusted = caller -> caller.may(Capability.UNFILTERED_HTML);
        actions.add(new Action(
                "unfiltered-html", "post unfiltered HTML markup and JavaScript", "content", text, isTrusted));
        if (type.has(Feature.STICKINESS)) {
            actions.add(new Action("sticky", "sticky this post", "sticky", Schema.bool(), ItemPermissions::maySticky));
        }
        Predicate<Caller> mayEditOthers =
                caller -> caller.may(type.capabilities().editOthers());
        actions.add(new Action(
                "assign-author", "change the author on this post", "author", Schema.integer(), mayEditOthers));
        for (Taxonomy taxonomy : type.has(Feature.TERMS) ? Taxonomy.values() : new Taxonomy[0]) {
            String name = taxonomy.collection();
            String where = " terms in the " + taxonomy.wireName() + " taxonomy";
            Schema ids = Schema.arrayOf(Schema.integer());
            Predicate<Caller> mayEdit = caller -> caller.may(Capability.EDIT_POSTS);
            actions.add(new Action("assign-" + name, "assign" + where, name, ids, mayEdit));
            Predicate<Caller> mayCreate = caller -> caller.may(taxonomy.create());
            actions.add(new Action("create-" + name, "create" + where, name, ids, mayCreate));
        }
        return actions;
    }

    /**
     * Describes the items of a type as OPTIONS does.
     *
     * @param type of the items
     * @param baseUrl the site's address
     * @param fields the members of its items
     * @return a tree of its own
     */
    public static ObjectNode describe(ItemType type, String baseUrl, Fields<?, ?> fields) {
        ObjectNode schema = fields.describe(type.wireName());
        ArrayNode links = schema.putArray("links");
        for (Action action : actions(type)) {
            ObjectNode link = links.addObject().put("rel", "https://api.w.org/action-" + action.name());
            link.put("title", "The current user can " + action.can() + ".");
            link.put("href", RestAddress.of(baseUrl, type.route()) + "/{id}");
            ObjectNode target = link.putObject("targetSchema").put("type", "object");
            target.putObject("properties").set(action.field(), action.schema());
        }
        return schema;
    }

    /** Adds a link for each action that a caller may do; says whether there is any. */
    private static boolean linkActions(ObjectNode links, String self, Caller caller, ItemType type) {
        List<Action> allowed = actions(type).stream()
                .filter(action -> action.isFor().test(caller))
                .toList();
        allowed.forEach(action -> link(links, "wp:action-" + action.name(), self));
        return !allowed.isEmpty();
    }
}

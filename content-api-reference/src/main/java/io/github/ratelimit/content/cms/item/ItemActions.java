package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What editors' tools may offer to do with items: described with their schema, and linked to for callers who may. */
public final class ItemActions {
    private ItemActions() {}

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

    private static List<Action> of(ItemType type) {
        List<Action> actions = new ArrayList<>();
        if (type.has(Feature.TEXT)) {
            Schema status = Schema.string().among("publish", "future");
            Predicate<Caller> mayPublish =
                    caller -> caller.may(type.capabilities().publish());
            actions.add(new Action("publish", "publish this post", "status", status, mayPublish));
        }
        ObjectNode text = JsonNodeFactory.instance.objectNode();
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
        for (Action action : of(type)) {
            ObjectNode link = links.addObject().put("rel", "https://api.w.org/action-" + action.name());
            link.put("title", "The current user can " + action.can() + ".");
            link.put("href", RestAddress.of(baseUrl, type.route()) + "/{id}");
            ObjectNode target = link.putObject("targetSchema").put("type", "object");
            target.putObject("properties").set(action.field(), action.schema());
        }
        return schema;
    }

    /** Adds a link for each action that a caller may do; says whether there is any. */
    static boolean link(ObjectNode links, String self, Caller caller, ItemType type) {
        List<Action> allowed =
                of(type).stream().filter(action -> action.isFor().test(caller)).toList();
        allowed.forEach(action -> RestAddress.link(links, "wp:action-" + action.name(), self));
        return !allowed.isEmpty();
    }
}

package io.github.ratelimit.content.cms.revision;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ShownItem;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What answers show of the earlier wordings of a type of items, and how they describe them. Immutable. */
public final class RevisionView {
    private final CmsSettings.Site site;
    private final ItemType type;
    private final Fields<ShownItem, Void> fields;

    private RevisionView(CmsSettings.Site site, ItemType type, Fields<ShownItem, Void> fields) {
        this.site = site;
        this.type = type;
        this.fields = fields;
    }

    static RevisionView ofRevisions(CmsSettings.Site site, ItemType type) {
        return new RevisionView(site, type, RevisionFields.ofRevisions(type));
    }

    /**
     * Shows what tools save by themselves.
     *
     * @param site tells its time
     * @param type of the items
     * @return with the way to preview it
     */
    public static RevisionView ofAutosaves(CmsSettings.Site site, ItemType type) {
        return new RevisionView(site, type, RevisionFields.ofAutosaves(type));
    }

    /**
     * Describes the wordings, as OPTIONS does.
     *
     * @return a tree of its own
     */
    public ObjectNode describe() {
        return fields.describe(type.wireName() + "-revision");
    }

    /**
     * Shows several wordings.
     *
     * @param request who asks
     * @param revisions what to show
     * @param context how much of each
     * @return a list of its own
     */
    public ArrayNode show(RestRequest request, Collection<Item> revisions, Context context) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        revisions.forEach(revision -> list.add(show(request, revision, context)));
        return list;
    }

    /**
     * Shows one wording. A draft that was saved by itself is shown in the same way.
     *
     * @param request who asks
     * @param revision what to show
     * @param context how much of it
     * @return a tree of its own
     */
    public ObjectNode show(RestRequest request, Item revision, Context context) {
        ObjectNode node = fields.show(
                request,
                new ShownItem(request, revision, context, site.timezone(), true, List.of(), Item::slug),
                context);
        if (revision.parent() > 0) {
            String parent = RestAddress.of(request.baseUrl(), type.route(revision.parent()));
            RestAddress.link(node.putObject("_links"), "parent", parent);
        }
        return node;
    }
}

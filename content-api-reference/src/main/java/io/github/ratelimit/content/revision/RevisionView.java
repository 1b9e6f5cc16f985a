package io.github.ratelimit.content.revision;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemHistory;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.item.ItemView;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.UUID;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What an answer shows of an earlier wording. */
@Component
public class RevisionView {
    private final ItemView items;

    RevisionView(ItemView items) {
        this.items = items;
    }

    /**
     * Shows several wordings.
     *
     * @param request who asks
     * @param type of the item that they are wordings of
     * @param revisions what to show
     * @param context how much of each
     * @return a list of its own
     */
    public ArrayNode show(RestRequest request, ItemType type, Collection<Item> revisions, Context context) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        revisions.forEach(revision -> list.add(show(request, type, revision, context)));
        return list;
    }

    /**
     * Shows one wording. A draft that was saved by itself is shown in the same way.
     *
     * @param request who asks
     * @param type of the item that it is a wording of
     * @param revision what to show
     * @param context how much of it
     * @return a tree of its own, without the way to preview it
     */
    public ObjectNode show(RestRequest request, ItemType type, Item revision, Context context) {
        boolean isWhole = context != Context.EMBED;
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("author", revision.author());
        node.put("date", items.local(revision.published()));
        if (isWhole) {
            node.put("date_gmt", ItemView.utc(revision.published()));
        }
        node.put("id", revision.id());
        if (isWhole) {
            node.put("modified", items.local(revision.modified()));
            node.put("modified_gmt", ItemView.utc(revision.modified()));
        }
        node.put("parent", revision.parent());
        node.put("slug", revision.slug());
        if (isWhole) {
            String page = revision.type().page(request.baseUrl(), revision.id());
            ObjectNode guid = node.putObject("guid").put("rendered", page);
            if (context == Context.EDIT) {
                guid.put("raw", page);
            }
        }
        ItemView.putText(node, "title", revision.title(), context);
        if (isWhole) {
            ItemView.putText(node, "content", revision.content(), context);
        }
        ItemView.putText(node, "excerpt", revision.excerpt(), context);
        if (isWhole) {
            node.putObject("meta").put("footnotes", revision.footnotes());
        }
        if (revision.type() == ItemType.REVISION) {
            String parent = RestAddress.of(request.baseUrl(), type.route(revision.parent()));
            ItemView.link(node.putObject("_links"), "parent", parent);
        }
        return node;
    }

    /**
     * Spells the address at which a tool shows what was saved by itself.
     *
     * @param request knows the site's address
     * @param type of the item
     * @param saved the autosave, or the draft itself
     * @return an address of the item's page
     */
    public static String previewLink(RestRequest request, ItemType type, Item saved) {
        if (!ItemHistory.isAutomatic(saved)) {
            return saved.type().page(request.baseUrl(), saved.id()) + "&preview=true";
        }
        long id = saved.parent();
        // Tells saves apart for caches between; whoever may not see the item sees nothing by it.
        String mark = UUID.nameUUIDFromBytes((saved.id() + "/" + saved.version()).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return type.page(request.baseUrl(), id) + "&preview_id=" + id + "&preview_nonce=" + mark + "&preview=true";
    }
}

package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemHeader;
import io.github.ratelimit.content.cms.item.ItemView;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an answer shows of a file, beside what it shows of any item. Safe for concurrent use. */
@Component
class MediaView {

    private final ItemView view;
    private final ItemFinder access;
    private final Lookup<Long, MediaFile> files;

    MediaView(ItemView view, ItemFinder access, MediaStore store) {
        this.view = view;
        this.access = access;
        this.files = Lookup.ofSeveral(store::findAll);
    }

    /** Shows one file. */
    ObjectNode show(RestRequest request, Item item, Context context) {
        return (ObjectNode) show(request, List.of(item), context).get(0);
    }

    /** Shows several files; what they need is looked up for all of them at once. */
    ArrayNode show(RestRequest request, Collection<Item> shown, Context context) {
        Map<Long, MediaFile> known = files(request, shown);
        Map<Long, ItemHeader> parents = access.headers(
                request, shown.stream().map(Item::parent).filter(id -> id > 0).toList());
        ArrayNode list = view.show(request, shown, context, item -> {
            MediaFile file = known.get(item.item().id());
            if (file == null) {
                // Deleted between two looks.
                throw RestError.of(404, "rest_post_invalid_id", "Invalid post ID.");
            }
            return MediaFields.TABLE.show(request, new ShownFile(item, file), context);
        });
        int index = 0;
        for (Item item : shown) {
            ItemHeader parent = parents.get(item.parent());
            if (parent != null) {
                putParent((ObjectNode) list.get(index).get("_links"), request.baseUrl(), parent);
            }
            index++;
        }
        return list;
    }

    /** Looks up at once what several files will be shown with, one by one. */
    void foresee(RestRequest request, Collection<Item> shown) {
        files(request, shown);
    }

    private Map<Long, MediaFile> files(RestRequest request, Collection<Item> shown) {
        return files.findAll(request, shown.stream().map(Item::id).toList());
    }

    private static void putParent(ObjectNode links, String base, ItemHeader parent) {
        JsonNode curies = links.remove("curies");
        ObjectNode link = links.putArray("wp:attached-to").addObject().put("embeddable", true);
        link.put("post_type", parent.type().wireName());
        link.put("id", parent.id());
        link.put("href", RestAddress.of(base, parent.type().route(parent.id())));
        if (curies == null) {
            RestAddress.putCuries(links);
        } else {
            links.set("curies", curies);
        }
    }
}

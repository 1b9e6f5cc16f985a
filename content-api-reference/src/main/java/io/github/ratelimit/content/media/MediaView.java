package io.github.ratelimit.content.media;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemStore;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.item.ItemView;
import io.github.ratelimit.content.item.Text;
import io.github.ratelimit.content.media.image.SubSizes;
import io.github.ratelimit.content.text.Rendering;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What an answer shows of a file, beside what it shows of any item. Safe for concurrent use. */
@Component
class MediaView {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ItemView view;
    private final ItemStore items;
    private final MediaStore store;

    MediaView(ItemView view, ItemStore items, MediaStore store) {
        this.view = view;
        this.items = items;
        this.store = store;
    }

    /** Shows one file. */
    ObjectNode show(RestRequest request, Item item, Context context) {
        return (ObjectNode) show(request, List.of(item), context).get(0);
    }

    /** Shows several files; what they need is looked up for all of them at once. */
    ArrayNode show(RestRequest request, Collection<Item> shown, Context context) {
        Map<Long, MediaFile> files = store.findAll(shown.stream().map(Item::id).toList());
        Map<Long, ItemType> parents = items.types(
                shown.stream().map(Item::parent).filter(id -> id > 0).toList());
        ArrayNode list = JSON.arrayNode();
        int index = 0;
        ArrayNode nodes = view.show(request, shown, context);
        for (Item item : shown) {
            ObjectNode node = (ObjectNode) nodes.get(index++);
            MediaFile file = files.get(item.id());
            if (file == null) {
                // Deleted between two looks.
                throw RestError.of(404, "rest_post_invalid_id", "Invalid post ID.");
            }
            complete(node, request.baseUrl(), item, file, context);
            putParent(node, request.baseUrl(), item, Optional.ofNullable(parents.get(item.parent())));
            list.add(node);
        }
        return list;
    }

    private static void complete(ObjectNode node, String base, Item item, MediaFile file, Context context) {
        JsonNode links = node.remove("_links");
        if (node.get("guid") instanceof ObjectNode guid) {
            String address = base + MediaFile.FOLDER + file.originalPath();
            guid.put("rendered", address);
            if (guid.has("raw")) {
                guid.put("raw", address);
            }
        }
        if (context != Context.EMBED) {
            Text description = new Text(
                    item.content().raw(),
                    element(base, item, file) + item.content().rendered());
            ItemView.putText(node, "description", description, context);
        }
        ItemView.putText(node, "caption", caption(base, item, file), context);
        node.put("alt_text", file.altText());
        node.put("media_type", isImage(item) ? "image" : "file");
        node.put("mime_type", item.mimeType());
        node.set("media_details", details(base, item, file));
        if (context != Context.EMBED) {
            node.set("post", item.parent() > 0 ? JSON.numberNode(item.parent()) : JSON.nullNode());
        }
        node.put("source_url", file.address(base));
        if (context != Context.EMBED) {
            if (context == Context.EDIT) {
                node.set("missing_image_sizes", missing(file));
            }
            node.put("filename", file.fileName());
            node.set(
                    "filesize",
                    file.details().path("filesize").isMissingNode()
                            ? JSON.nullNode()
                            : file.details().get("filesize"));
            if (context == Context.EDIT && isImage(item)) {
                // Pictures are stored upright.
                node.put("exif_orientation", 1);
            }
        }
        node.set("_links", links);
    }

    private static boolean isImage(Item item) {
        return item.mimeType().startsWith("image/");
    }

    /** A caption that nobody wrote is what readers see of the file's element and its description. */
    private static Text caption(String base, Item item, MediaFile file) {
        if (!item.excerpt().raw().isEmpty()) {
            return item.excerpt();
        }
        return new Text(
                "",
                Rendering.excerpt("", element(base, item, file) + item.content().raw()));
    }

    /** The file as an element of a page. */
    private static String element(String base, Item item, MediaFile file) {
        Element paragraph = new Element("p").addClass("attachment");
        Element link = paragraph.appendElement("a").attr("href", file.address(base));
        if (isImage(item)) {
            MediaFile.Rendition shown = Optional.ofNullable(file.renditions().get("medium"))
                    .or(file::full)
                    .orElse(new MediaFile.Rendition(file.path(), 0, 0, false));
            link.appendElement("img")
                    .attr("src", base + MediaFile.FOLDER + shown.path())
                    .attr("alt", file.altText())
                    .attr("width", String.valueOf(shown.width()))
                    .attr("height", String.valueOf(shown.height()));
        } else {
            boolean isPlayed =
                    item.mimeType().startsWith("audio/") || item.mimeType().startsWith("video/");
            link.text(
                    isPlayed
                            ? file.address(base)
                            : Rendering.plainText(item.title().raw()));
        }
        return paragraph.outerHtml() + "\n";
    }

    private static ObjectNode details(String base, Item item, MediaFile file) {
        ObjectNode details = JSON.objectNode();
        for (Map.Entry<String, JsonNode> member : file.details().properties()) {
            if (member.getKey().equals("filesize") && isImage(item)) {
                details.put("file", file.path());
            }
            details.set(member.getKey(), member.getValue().deepCopy());
        }
        ObjectNode sizes = JSON.objectNode();
        for (Map.Entry<String, JsonNode> size : file.details().path("sizes").properties()) {
            ObjectNode shown = (ObjectNode) size.getValue().deepCopy();
            sizes.set(
                    size.getKey(),
                    shown.put(
                            "source_url",
                            base
                                    + MediaFile.FOLDER
                                    + file.beside(shown.path("file").asString(""))));
        }
        if (!sizes.isEmpty()) {
            ObjectNode full = sizes.putObject("full");
            full.put("file", file.path().substring(file.path().lastIndexOf('/') + 1));
            full.set("width", details.path("width"));
            full.set("height", details.path("height"));
            full.put("mime_type", item.mimeType());
            full.put("source_url", file.address(base));
        }
        return details.set("sizes", sizes);
    }

    private static ArrayNode missing(MediaFile file) {
        ArrayNode missing = JSON.arrayNode();
        file.full().ifPresent(full -> {
            for (SubSizes.Size size : SubSizes.all()) {
                if (!file.details().path("sizes").has(size.name())
                        && SubSizes.scaling(size, full.width(), full.height()).isPresent()) {
                    missing.add(size.name());
                }
            }
        });
        return missing;
    }

    private static void putParent(ObjectNode node, String base, Item item, Optional<ItemType> type) {
        if (type.isEmpty() || !(node.get("_links") instanceof ObjectNode links)) {
            return;
        }
        JsonNode curies = links.remove("curies");
        ObjectNode link = links.putArray("wp:attached-to").addObject().put("embeddable", true);
        link.put("post_type", type.get().wireName());
        link.put("id", item.parent());
        link.put("href", RestAddress.of(base, type.get().route(item.parent())));
        if (curies == null) {
            ItemView.putCuries(links);
        } else {
            links.set("curies", curies);
        }
    }
}

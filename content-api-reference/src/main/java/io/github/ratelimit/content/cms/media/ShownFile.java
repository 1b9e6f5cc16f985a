package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.Item.Text;
import io.github.ratelimit.content.cms.item.ShownItem;
import io.github.ratelimit.content.cms.media.image.SubSizes;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.text.Rendering;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file as an answer shows it, with all that its members are made of.
 *
 * @param shown its item
 * @param file where it lies, and what is known about it
 */
record ShownFile(ShownItem shown, MediaFile file) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Item item() {
        return shown.item();
    }

    private String base() {
        return shown.request().baseUrl();
    }

    String mediaType() {
        return item().mimeType();
    }

    private boolean isImage() {
        return mediaType().startsWith("image/");
    }

    String kind() {
        return isImage() ? "image" : "file";
    }

    /** Pictures are stored upright, and nothing else is turned. */
    @Nullable
    JsonNode orientation() {
        return isImage() ? JSON.numberNode(1) : null;
    }

    String address() {
        return file.address(base());
    }

    ObjectNode guid() {
        return shown.guid(base() + MediaFile.FOLDER + file.originalPath());
    }

    ObjectNode description() {
        Text text = item().content();
        return shown.text(new Text(text.raw(), element() + text.rendered()));
    }

    /**
     * A caption that nobody wrote is what readers see of the file's element and its description: of a picture's element nothing, so that there it is the
     * excerpt that is kept.
     */
    ObjectNode caption() {
        if (isImage() || !item().excerpt().raw().isEmpty()) {
            return shown.text(item().excerpt());
        }
        return shown.text(
                new Text("", Rendering.excerpt(element() + item().content().raw(), Rendering.EXCERPT_WORDS)));
    }

    /** The file as an element of a page. */
    private String element() {
        Element paragraph = new Element("p").addClass("attachment");
        Element link = paragraph.appendElement("a").attr("href", address());
        if (isImage()) {
            MediaFile.Rendition rendition = Optional.ofNullable(
                            file.renditions().get("medium"))
                    .or(file::full)
                    .orElse(new MediaFile.Rendition(file.path(), 0, 0, false));
            link.appendElement("img")
                    .attr("src", base() + MediaFile.FOLDER + rendition.path())
                    .attr("alt", file.altText())
                    .attr("width", String.valueOf(rendition.width()))
                    .attr("height", String.valueOf(rendition.height()));
        } else {
            boolean isPlayed = new FileType(mediaType()).isPlayed();
            link.text(isPlayed ? address() : Rendering.plainText(item().title().raw()));
        }
        return paragraph.outerHtml() + "\n";
    }

    ObjectNode details() {
        ObjectNode details = JSON.objectNode();
        for (Map.Entry<String, JsonNode> member : file.details().properties()) {
            if (member.getKey().equals("filesize") && isImage()) {
                details.put("file", file.path());
            }
            details.set(member.getKey(), member.getValue().deepCopy());
        }
        ObjectNode sizes = JSON.objectNode();
        for (Map.Entry<String, JsonNode> size : file.details().path("sizes").properties()) {
            ObjectNode known = (ObjectNode) size.getValue().deepCopy();
            String path = file.beside(known.path("file").asString(""));
            sizes.set(size.getKey(), known.put("source_url", base() + MediaFile.FOLDER + path));
        }
        if (!sizes.isEmpty()) {
            ObjectNode full = sizes.putObject("full");
            full.put("file", MediaFile.nameOf(file.path()));
            full.set("width", details.path("width"));
            full.set("height", details.path("height"));
            full.put("mime_type", mediaType());
            full.put("source_url", address());
        }
        return details.set("sizes", sizes);
    }

    JsonNode post() {
        return item().parent() > 0 ? JSON.numberNode(item().parent()) : JSON.nullNode();
    }

    JsonNode size() {
        JsonNode size = file.details().get("filesize");
        return size == null ? JSON.nullNode() : size;
    }

    ArrayNode missingSizes() {
        ArrayNode missing = JSON.arrayNode();
        if (mediaType().equals("application/pdf")) {
            return missing.add("thumbnail").add("medium").add("large"); // of a first page, which is not drawn here
        }
        file.full()
                .ifPresent(full -> SubSizes.all().stream()
                        .filter(size -> !file.details().path("sizes").has(size.name()))
                        .filter(size -> SubSizes.scaling(size, full.width(), full.height())
                                .isPresent())
                        .sorted(Comparator.comparingInt(SubSizes.Size::width))
                        .forEach(size -> missing.add(size.name())));
        return missing;
    }
}

package io.github.ratelimit.content.cms.media;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file of an item, and what is known about it.
 *
 * @param itemId the item
 * @param path of the file that is shown, relative to the folder of uploads
 * @param details size, smaller pictures and notes; belongs to whoever holds this
 * @param altText what it says where it is not displayed
 */
public record MediaFile(long itemId, String path, ObjectNode details, String altText) {
    /** Where the files of all items are handed out, below the site's address. */
    public static final String FOLDER = "/uploads/";

    private static final String SIZES = "sizes";
    private static final String ORIGINAL = "original_image";

    /**
     * A smaller picture.
     *
     * @param path relative to the folder of uploads
     * @param width in pixels
     * @param height in pixels
     * @param isCropped whether it shows a part only
     */
    public record Rendition(String path, int width, int height, boolean isCropped) {}

    /** Returns the address of the file that is shown. */
    public String address(String baseUrl) {
        return baseUrl + FOLDER + path;
    }

    /** Returns the path of the file as it was uploaded. */
    String originalPath() {
        String original = details.path(ORIGINAL).asString("");
        return original.isEmpty() ? path : beside(original);
    }

    /** Returns the name of the file as it was uploaded. */
    String fileName() {
        return nameOf(originalPath());
    }

    static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the path of another file of this item. */
    String beside(String name) {
        return path.substring(0, path.lastIndexOf('/') + 1) + name;
    }

    /** Returns the smaller pictures by the names of their sizes. */
    public Map<String, Rendition> renditions() {
        Map<String, Rendition> renditions = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> size : details.path(SIZES).properties()) {
            JsonNode node = size.getValue();
            renditions.put(
                    size.getKey(),
                    new Rendition(
                            beside(node.path("file").asString("")),
                            node.path("width").asInt(0),
                            node.path("height").asInt(0),
                            size.getKey().equals("thumbnail")));
        }
        return renditions;
    }

    /** Returns the picture that is shown in full; empty if the file is no picture. */
    public Optional<Rendition> full() {
        return details.path("width").isInt()
                ? Optional.of(new Rendition(
                        path,
                        details.path("width").intValue(),
                        details.path("height").intValue(),
                        false))
                : Optional.empty();
    }

    /** Returns the paths of all files of this item. */
    List<String> allPaths() {
        List<String> paths = new ArrayList<>(List.of(path, originalPath()));
        renditions().values().forEach(rendition -> paths.add(rendition.path()));
        return paths.stream().distinct().toList();
    }
}

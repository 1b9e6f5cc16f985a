package io.github.ratelimit.content.cms.text;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Tells what is known about the uploaded pictures that a content shows. */
@FunctionalInterface
public interface KnownImages {
    /** Knows none. */
    KnownImages NONE = ids -> Map.of();

    /**
     * An uploaded picture.
     *
     * @param path of the file that is shown, relative to the folder of uploads
     * @param original the name of the file as it was uploaded, where that is another one; else empty
     * @param width in pixels
     * @param height in pixels
     * @param isAnimated whether what is smaller lacks what moves
     * @param sizes the smaller ones, in order
     */
    record Image(String path, String original, int width, int height, boolean isAnimated, List<Size> sizes) {
        /** Copies the list. */
        public Image {
            sizes = List.copyOf(sizes);
        }
    }

    /**
     * A smaller picture of a picture.
     *
     * @param file its name, beside the picture
     * @param width in pixels
     * @param height in pixels
     */
    record Size(String file, int width, int height) {}

    /**
     * Finds pictures.
     *
     * @param ids of items of any kind
     * @return those that are pictures, by id
     */
    Map<Long, Image> find(Collection<Long> ids);
}

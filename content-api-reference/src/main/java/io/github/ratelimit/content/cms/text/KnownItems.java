package io.github.ratelimit.content.cms.text;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what is known about the items of this site that a content shows: uploaded pictures, and what its addresses lead to. */
@FunctionalInterface
public interface KnownItems {
    /** Knows nothing. */
    KnownItems NONE = ids -> Map.of();

    /**
     * An uploaded picture.
     *
     * @param path of the file that is shown, relative to the folder of uploads
     * @param original the name of the file as it was uploaded, where that is another one; else empty
     * @param width in pixels
     * @param height in pixels
     * @param isAnimated whether what is smaller lacks what moves
     * @param sizes the smaller ones, in order
     * @param folder of all uploads, below the address of the site, with a slash at both ends
     * @param altText what it says where it is not displayed
     */
    record Image(
            String path,
            String original,
            int width,
            int height,
            boolean isAnimated,
            List<Size> sizes,
            String folder,
            String altText) {
        /** Copies the list. */
        public Image {
            sizes = List.copyOf(sizes);
        }
    }

    /**
     * A smaller picture of a picture.
     *
     * @param name such as {@code thumbnail}
     * @param file its name, beside the picture
     * @param width in pixels
     * @param height in pixels
     */
    record Size(String name, String file, int width, int height) {}

    /**
     * Where a picture is, and what is written beside it.
     *
     * @param site the address of the site, without a slash at its end; or empty
     * @param page the address of the picture's own page; or empty
     * @param caption as written; or empty
     */
    record Place(String site, String page, String caption) {
        static final Place NOWHERE = new Place("", "", "");
    }

    /**
     * Tells where a picture is.
     *
     * @param id of a picture that was found
     * @return nowhere, where only pictures that stand in the text matter
     */
    default Place place(long id) {
        return Place.NOWHERE;
    }

    /**
     * An item that everybody may see.
     *
     * @param page its address
     * @param title as readers see it; HTML
     * @param site the title of the site
     */
    record Shown(String page, String title, String site) {}

    /**
     * Finds the item that an address of this site leads to.
     *
     * @param address as written
     * @return empty where there is none, or not everybody may see it
     */
    default Optional<Shown> shown(String address) {
        return Optional.empty();
    }

    /**
     * Finds pictures.
     *
     * @param ids of items of any kind
     * @return those that are pictures, by id
     */
    Map<Long, Image> find(Collection<Long> ids);
}

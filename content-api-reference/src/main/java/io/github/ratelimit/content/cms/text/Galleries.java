package io.github.ratelimit.content.cms.text;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lists of uploaded pictures, as {@code [gallery ids="1,2"]} asks for them. Each gallery of a text has a number.
 *
 * <p>Not safe for concurrent use.
 */
final class Galleries {
    /** Chosen: a text of twenty letters must not become a page of pictures again and again. */
    static final int MOST_PICTURES = 500;

    private static final Pattern NO_CLASS = Pattern.compile("[^A-Za-z0-9_-]+");
    private static final Pattern ID = Pattern.compile("[0-9]{1,18}");

    private final KnownItems images;
    private final Map<Long, KnownItems.Image> known;
    private int number;
    private int shown;

    /**
     * Looks up pictures.
     *
     * @param images tells about uploaded pictures
     * @param ids of the pictures of all galleries of a text
     */
    Galleries(KnownItems images, Set<Long> ids) {
        this.images = images;
        known = ids.isEmpty() ? Map.of() : images.find(ids);
    }

    /** Lists the pictures that a gallery names, each once, in its order. */
    static Set<Long> ids(Map<String, String> attributes) {
        String sent = attributes.getOrDefault("ids", attributes.getOrDefault("include", ""));
        Set<Long> ids = new LinkedHashSet<>();
        for (String id : sent.split("[\\s,]+", MOST_PICTURES + 1)) {
            if (ID.matcher(id).matches()) {
                ids.add(Long.parseLong(id));
            }
        }
        return ids;
    }

    /** Makes the element of a gallery; nothing without pictures. */
    String gallery(Map<String, String> attributes) {
        number++;
        String size =
                NO_CLASS.matcher(attributes.getOrDefault("size", "thumbnail")).replaceAll("");
        Tags tags = new Tags(
                tag(attributes, "itemtag", "figure", "dl"),
                tag(attributes, "icontag", "div", "dt"),
                tag(attributes, "captiontag", "figcaption", "dd"));
        StringBuilder pictures = new StringBuilder();
        for (long id : ids(attributes)) {
            KnownItems.Image image = known.get(id);
            if (image != null && shown < MOST_PICTURES) {
                shown++;
                pictures.append(picture(id, image, size, attributes.getOrDefault("link", ""), tags));
            }
        }
        if (pictures.isEmpty()) {
            return "";
        }
        String columns = Players.digits(attributes.getOrDefault("columns", "3"));
        return "<div id='gallery-" + number + "' class='gallery galleryid-" + Rendering.ITEM + " gallery-columns-"
                + (columns.isEmpty() ? "0" : columns) + " gallery-size-" + size + "'>" + pictures + "\n\t\t</div>\n";
    }

    /** The elements of a picture, of what shows it, and of its caption. */
    private record Tags(String item, String icon, String caption) {}

    /** Names an element: the usual one, or one that every author may write. */
    private static String tag(Map<String, String> attributes, String name, String usual, String otherwise) {
        String wished = Letters.lower(
                NO_CLASS.matcher(attributes.getOrDefault(name, usual)).replaceAll(""));
        return HtmlPolicy.isElement(wished) ? wished : otherwise;
    }

    private String picture(long id, KnownItems.Image image, String size, String link, Tags tags) {
        KnownItems.Place place = images.place(id);
        String captionId = "gallery-" + number + "-" + id;
        boolean hasCaption = !place.caption().isBlank();
        String element = element(image, place.site(), size, hasCaption ? captionId : "");
        String target = link.equals("file") ? place.site() + image.folder() + image.path() : place.page();
        return "<" + tags.item() + " class='gallery-item'>\n\t\t\t<" + tags.icon() + " class='gallery-icon "
                + (image.height() > image.width() ? "portrait" : "landscape") + "'>\n\t\t\t\t"
                + (link.equals("none") ? element : "<a href='" + Players.address(target) + "'>" + element + "</a>")
                + "\n\t\t\t</" + tags.icon() + ">"
                + (hasCaption
                        ? "\n\t\t\t\t<" + tags.caption() + " class='wp-caption-text gallery-caption' id='" + captionId
                                + "'>\n\t\t\t\t" + Typography.apply(Rendering.withoutPlaceholders(place.caption()))
                                + "\n\t\t\t\t</" + tags.caption() + ">"
                        : "")
                + "</" + tags.item() + ">";
    }

    /** Makes the element of a picture in a size, or in its own size where it has no such one. */
    private static String element(KnownItems.Image image, String site, String size, String captionId) {
        Optional<KnownItems.Size> smaller =
                image.sizes().stream().filter(each -> each.name().equals(size)).findFirst();
        String folder = image.path().substring(0, image.path().lastIndexOf('/') + 1);
        String path = smaller.map(found -> folder + found.file()).orElse(image.path());
        String alternative = Markup.encoded(Markup.withoutTags(image.altText()).strip());
        String tag = "<img width=\"" + smaller.map(KnownItems.Size::width).orElse(image.width()) + "\" height=\""
                + smaller.map(KnownItems.Size::height).orElse(image.height()) + "\" src=\""
                + Players.address(site + image.folder() + path) + "\" class=\"attachment-" + size + " size-" + size
                + "\" alt=\"" + alternative + "\""
                + (captionId.isEmpty() ? "" : " aria-describedby=\"" + captionId + "\"") + " />";
        return ImageTags.withSources(tag, image);
    }
}

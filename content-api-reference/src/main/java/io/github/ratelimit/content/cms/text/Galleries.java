package io.github.ratelimit.content.cms.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists of uploaded pictures, as {@code [gallery ids="1,2"]} asks for them: they are found at once for a whole text.
 *
 * <p>Each gallery has a number, by which captions are told apart. Not safe for concurrent use.
 */
final class Galleries {
    /** Chosen: a text of twenty letters must not become a page of pictures again and again. */
    static final int MOST_PICTURES = 500;

    /** Chosen: a caption is a sentence or two; what is longer is on the picture's own page. */
    private static final int LONGEST_CAPTION = 2000;

    private static final Pattern NO_CLASS = Pattern.compile("[^A-Za-z0-9_-]+");
    private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");
    private static final Pattern ID = Pattern.compile("[0-9]{1,18}");
    private static final Pattern NUMBER = Pattern.compile("\\s*+(-?[0-9]{1,9})(?![0-9]).*", Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("[a-z][a-z0-9]*");

    /** The elements of a gallery, which are asked for once, however many pictures it has. */
    private record Tags(String item, String icon, String caption) {}

    private final KnownImages images;
    private final Map<Long, KnownImages.Image> known;
    private int number;
    private int shown;

    /**
     * Starts to count at one.
     *
     * @param images tells about uploaded pictures
     * @param wished the ids that all galleries of a text name
     */
    Galleries(KnownImages images, Set<Long> wished) {
        this.images = images;
        known = wished.isEmpty() ? Map.of() : images.find(wished);
    }

    /**
     * Lists the pictures that a gallery names.
     *
     * @param wishes of the gallery
     * @return ids, each once, in its order
     */
    static List<Long> wished(Map<String, String> wishes) {
        String inOrder = wishes.getOrDefault("ids", "");
        Set<Long> ids = new LinkedHashSet<>();
        for (String id : SEPARATOR.split(inOrder.isEmpty() ? wishes.getOrDefault("include", "") : inOrder)) {
            if (ID.matcher(id).matches() && ids.size() < MOST_PICTURES) {
                ids.add(Long.parseLong(id));
            }
        }
        List<Long> ordered = new ArrayList<>(ids);
        String order = wishes.getOrDefault("orderby", "").toUpperCase(Locale.ROOT);
        if (inOrder.isEmpty() || order.equals("ID") || order.equals("MENU_ORDER ID")) {
            Collections.sort(ordered);
            if (wishes.getOrDefault("order", "").equalsIgnoreCase("desc")) {
                Collections.reverse(ordered);
            }
        }
        return ordered;
    }

    /** Makes the element of a gallery; nothing without pictures. */
    String gallery(Map<String, String> wishes) {
        number++;
        Tags tags = new Tags(
                tag(wishes, "itemtag", "figure", "dl"),
                tag(wishes, "icontag", "div", "dt"),
                tag(wishes, "captiontag", "figcaption", "dd"));
        StringBuilder pictures = new StringBuilder();
        for (long id : wished(wishes)) {
            KnownImages.Image image = known.get(id);
            if (image != null && shown < MOST_PICTURES) {
                shown++;
                picture(pictures, id, image, tags, wishes);
            }
        }
        if (pictures.isEmpty()) {
            return "";
        }
        return "<div id='gallery-" + number + "' class='gallery galleryid-" + Placeholders.ITEM + " gallery-columns-"
                + columns(wishes.getOrDefault("columns", "3")) + " gallery-size-" + size(wishes) + "'>" + pictures
                + "\n\t\t</div>\n";
    }

    private void picture(StringBuilder html, long id, KnownImages.Image image, Tags tags, Map<String, String> wishes) {
        KnownImages.Place place = images.place(id);
        String caption = place.caption().length() > LONGEST_CAPTION ? "" : place.caption();
        String captionId = "gallery-" + number + "-" + id;
        boolean isTitled = !caption.isBlank();
        html.append("<")
                .append(tags.item())
                .append(" class='gallery-item'>\n\t\t\t<")
                .append(tags.icon());
        html.append(" class='gallery-icon ").append(image.height() > image.width() ? "portrait" : "landscape");
        html.append("'>\n\t\t\t\t");
        html.append(linked(element(image, place, size(wishes), isTitled ? captionId : ""), image, place, wishes));
        html.append("\n\t\t\t</").append(tags.icon()).append(">");
        if (isTitled) {
            html.append("\n\t\t\t\t<").append(tags.caption());
            html.append(" class='wp-caption-text gallery-caption' id='")
                    .append(captionId)
                    .append("'>\n\t\t\t\t");
            html.append(Typography.apply(Placeholders.removeFrom(caption)));
            html.append("\n\t\t\t\t</").append(tags.caption()).append(">");
        }
        html.append("</").append(tags.item()).append(">");
    }

    private static String linked(
            String element, KnownImages.Image image, KnownImages.Place place, Map<String, String> wishes) {
        return switch (wishes.getOrDefault("link", "")) {
            case "none" -> element;
            case "file" -> "<a href='" + address(image, place, image.path()) + "'>" + element + "</a>";
            default -> "<a href='" + Players.address(place.page()) + "'>" + element + "</a>";
        };
    }

    private static String element(KnownImages.Image image, KnownImages.Place place, String size, String captionId) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("class", "attachment-" + size + " size-" + size);
        attributes.put("alt", alternative(image));
        if (!captionId.isEmpty()) {
            attributes.put("aria-describedby", captionId);
        }
        return element(image, place.site(), size, attributes);
    }

    /** Says in words what a picture shows. */
    static String alternative(KnownImages.Image image) {
        return References.encoded(Markup.withoutTags(image.altText()).strip());
    }

    /** Makes the element of a picture in a size; in its own where it has none of that name. */
    static String element(KnownImages.Image image, String site, String size, Map<String, String> attributes) {
        KnownImages.@Nullable Size smaller = image.sizes().stream()
                .filter(each -> each.name().equals(size))
                .findFirst()
                .orElse(null);
        String folder = image.path().substring(0, image.path().lastIndexOf('/') + 1);
        String path = smaller == null ? image.path() : folder + smaller.file();
        StringBuilder tag = new StringBuilder("<img width=\"")
                .append(smaller == null ? image.width() : smaller.width())
                .append("\" height=\"")
                .append(smaller == null ? image.height() : smaller.height())
                .append("\" src=\"")
                .append(Players.address(site + image.folder() + path))
                .append('"');
        attributes.forEach((name, value) ->
                tag.append(' ').append(name).append("=\"").append(value).append('"'));
        return ImageTags.withSources(tag.append(" />").toString(), image);
    }

    private static String address(KnownImages.Image image, KnownImages.Place place, String path) {
        return Players.address(place.site() + image.folder() + path);
    }

    private static String size(Map<String, String> wishes) {
        return NO_CLASS.matcher(wishes.getOrDefault("size", "thumbnail")).replaceAll("");
    }

    /** Reads the number that a text begins with; 0 where it begins with none. */
    private static String columns(String wish) {
        Matcher number = NUMBER.matcher(wish);
        return number.matches() ? String.valueOf(Integer.parseInt(number.group(1))) : "0";
    }

    private static String tag(Map<String, String> wishes, String name, String usual, String otherwise) {
        String wish = LetterCase.lower(wishes.getOrDefault(name, usual));
        boolean isFine = TAG.matcher(wish).matches() && AllowedTags.CONTENT.allows(wish);
        return isFine ? wish : otherwise;
    }
}

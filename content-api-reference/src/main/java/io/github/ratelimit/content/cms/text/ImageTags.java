package io.github.ratelimit.content.cms.text;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What browsers need of pictures and frames in a content to load them late and in the right size: dimensions, the smaller
 * pictures to choose from, and that they may wait.
 */
final class ImageTags {
    private static final Pattern NAMED = Pattern.compile("wp-image-([0-9]{1,18})", Pattern.CASE_INSENSITIVE);
    private static final Pattern SRC = Pattern.compile(" src=[\"']([^\"']++)[\"']");
    private static final Pattern WIDTH = Pattern.compile(" width=[\"']([0-9]{1,9})[\"']");
    private static final Pattern HEIGHT = Pattern.compile(" height=[\"']([0-9]{1,9})[\"']");
    private static final Pattern STYLED_WIDTH = Pattern.compile("style=\"width:\\s*+([0-9]{1,9})px;\"");
    private static final Pattern SIZES = Pattern.compile(" sizes=\"([^\"]++)\"");
    private static final Pattern END = Pattern.compile("[/ ]*+>$");

    /** Chosen: what clients of this interface know; wider ones are offered only where they are what is shown. */
    private static final int WIDEST_OFFERED = 2048;

    /** Chosen: nobody shows so many in a text, and each takes many times its length. Those behind them stay as they are. */
    static final int MOST = 1_000;

    private ImageTags() {}

    /**
     * Completes the tags of pictures and frames.
     *
     * @param html rendered
     * @param images tells about uploaded pictures
     * @return the same with more attributes
     */
    static String complete(String html, KnownImages images) {
        if (!html.contains("<img") && !html.contains("<iframe")) {
            return html;
        }
        Map<Long, KnownImages.Image> known = known(html, images);
        StringBuilder completed = new StringBuilder(html.length() + 256);
        int count = 0;
        int at = 0;
        while (at < html.length() && count < MOST) {
            int end = Markup.pieceEnd(html, at);
            if (isWhole(html, at, end, "img")) {
                String tag = html.substring(at, end);
                completed.append(image(tag, known.get(id(tag))));
                count++;
            } else if (isWhole(html, at, end, "iframe")) {
                completed.append(frame(html.substring(at, end)));
                count++;
            } else {
                completed.append(html, at, end);
            }
            at = end;
        }
        return completed.append(html, at, html.length()).toString();
    }

    private static boolean isWhole(String html, int begin, int end, String name) {
        return html.charAt(begin) == '<'
                && html.startsWith(name, begin + 1)
                && html.charAt(end - 1) == '>'
                && end - begin > name.length() + 2
                && Character.isWhitespace(html.charAt(begin + name.length() + 1));
    }

    private static Map<Long, KnownImages.Image> known(String html, KnownImages images) {
        Set<Long> ids = new HashSet<>();
        int count = 0;
        int end;
        for (int at = 0; at < html.length() && count < MOST; at = end) {
            end = Markup.pieceEnd(html, at);
            if (isWhole(html, at, end, "img")) {
                count++;
                long id = id(html.substring(at, end));
                if (id > 0) {
                    ids.add(id);
                }
            }
        }
        return ids.isEmpty() ? Map.of() : images.find(ids);
    }

    private static long id(String tag) {
        Matcher named = NAMED.matcher(tag);
        return named.find() ? Long.parseLong(named.group(1)) : 0;
    }

    private static String image(String tag, KnownImages.@Nullable Image known) {
        String image = tag;
        if (known != null) {
            if (!image.contains(" width=") && !image.contains(" height=")) {
                image = withDimensions(image, known);
            }
            if (!image.contains(" srcset=")) {
                image = withSources(image, known);
            }
        }
        image = withLoading(image);
        Matcher sizes = SIZES.matcher(image);
        boolean mayWait =
                image.contains(" loading=\"lazy\"") && WIDTH.matcher(image).find();
        if (mayWait && sizes.find() && !sizes.group(1).strip().startsWith("auto")) {
            image = image.substring(0, sizes.start(1)) + "auto, " + image.substring(sizes.start(1));
        }
        return image;
    }

    private static String frame(String tag) {
        boolean isMeasured = tag.contains(" src=\"") && tag.contains(" width=\"") && tag.contains(" height=\"");
        return isMeasured && !tag.contains(" loading=") && !tag.contains(" data-secret=\"")
                ? with(tag, "loading=\"lazy\"")
                : tag;
    }

    private static String withLoading(String tag) {
        if (!tag.contains(" src=\"")) {
            return tag;
        }
        boolean isMeasured = WIDTH.matcher(tag).find()
                && HEIGHT.matcher(tag).find()
                && tag.contains(" width=\"")
                && tag.contains(" height=\"");
        boolean isUrgent = tag.contains(" fetchpriority=\"high\"");
        String image = tag.contains(" decoding=") ? tag : with(tag, "decoding=\"async\"");
        return isMeasured && !isUrgent && !tag.contains(" loading=") ? with(image, "loading=\"lazy\"") : image;
    }

    private static String with(String tag, String attribute) {
        int end = 1 + Markup.name(tag).length();
        return tag.substring(0, end) + " " + attribute + tag.substring(end);
    }

    private static String source(String tag) {
        Matcher src = SRC.matcher(tag);
        return src.find() ? src.group(1) : "";
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String withoutQuery(String address) {
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query);
    }

    /** Finds the size of what an address shows; zeros where it is none of the picture's files. */
    private static int[] dimensions(String address, KnownImages.Image known) {
        if (address.contains(name(known.path()))
                || (!known.original().isEmpty() && address.contains(known.original()))) {
            return new int[] {known.width(), known.height()};
        }
        String file = name(address);
        for (KnownImages.Size size : known.sizes()) {
            if (file.equals(size.file())) {
                return new int[] {size.width(), size.height()};
            }
        }
        return new int[] {0, 0};
    }

    private static String withDimensions(String tag, KnownImages.Image known) {
        int[] size = dimensions(withoutQuery(source(tag)), known);
        if (size[0] == 0 || size[1] == 0) {
            return tag;
        }
        Matcher styled = STYLED_WIDTH.matcher(tag);
        if (styled.find() && Integer.parseInt(styled.group(1)) > 0) {
            int width = Integer.parseInt(styled.group(1));
            size = new int[] {width, (int) Math.round((double) size[1] * width / size[0])};
        }
        return with(tag, "width=\"" + size[0] + "\" height=\"" + size[1] + "\"");
    }

    private static int number(Pattern attribute, String tag) {
        Matcher number = attribute.matcher(tag);
        return number.find() ? Integer.parseInt(number.group(1)) : 0;
    }

    /** Adds the smaller pictures to choose from, if what is shown is one of the picture's files. */
    static String withSources(String tag, KnownImages.Image known) {
        String src = withoutQuery(source(tag));
        int width = number(WIDTH, tag);
        int height = number(HEIGHT, tag);
        if (src.isEmpty() || known.sizes().isEmpty() || width == 0 || height == 0) {
            return tag;
        }
        Map<Integer, String> sources = sources(src, width, height, known);
        if (sources.size() < 2) {
            return tag;
        }
        StringJoiner set = new StringJoiner(", ");
        sources.forEach((wide, address) -> set.add(address.replace(" ", "%20") + " " + wide + "w"));
        String sizes = tag.contains(" sizes=") ? "" : " sizes=\"(max-width: " + width + "px) 100vw, " + width + "px\"";
        return END.matcher(tag).replaceFirst("") + " srcset=\"" + set + "\"" + sizes + " />";
    }

    /** Lists what has the same proportions, what is shown first; nothing if that is none of the picture's files. */
    private static Map<Integer, String> sources(String src, int width, int height, KnownImages.Image known) {
        Map<Integer, String> others = new LinkedHashMap<>();
        Map<Integer, String> all = new LinkedHashMap<>();
        String folder = src.substring(0, src.lastIndexOf('/') + 1);
        String path = known.path().substring(0, known.path().lastIndexOf('/') + 1);
        if (known.isAnimated() && src.contains(known.path())) {
            return Map.of();
        }
        boolean isOurs = false;
        for (int i = 0; i <= known.sizes().size(); i++) {
            boolean isWhole = i == known.sizes().size();
            if (isWhole && known.isAnimated()) {
                break;
            }
            KnownImages.Size size = isWhole
                    ? new KnownImages.Size("full", name(known.path()), known.width(), known.height())
                    : known.sizes().get(i);
            boolean isShown = !isOurs && src.contains(path + size.file());
            isOurs |= isShown;
            boolean isTooWide = size.width() > WIDEST_OFFERED && !isShown;
            if (!isTooWide && isAlike(width, height, size.width(), size.height())) {
                (isShown ? all : others).put(size.width(), folder + size.file());
            }
        }
        others.forEach(all::putIfAbsent);
        return isOurs ? all : Map.of();
    }

    /** Proportions are the same where the larger one, made as wide as the smaller one, is as high, but for a pixel. */
    private static boolean isAlike(int width, int height, int otherWidth, int otherHeight) {
        boolean isLarger = width > otherWidth;
        int wide = isLarger ? width : otherWidth;
        int high = isLarger ? height : otherHeight;
        int narrow = isLarger ? otherWidth : width;
        int low = isLarger ? otherHeight : height;
        long made = Math.max(1, Math.round((double) high * narrow / wide));
        return Math.abs(made - low) <= 1;
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Attributes with which browsers load pictures and frames late and in the right size. */
final class ImageTags {
    private static final Pattern TAG = Pattern.compile("<(?:img|iframe)\\s[^<>]++>");
    private static final Pattern NAMED = Pattern.compile("wp-image-([0-9]{1,18})");
    private static final Pattern SRC = Pattern.compile(" src=\"([^\"]++)\"");
    private static final Pattern WIDTH = Pattern.compile(" width=\"([0-9]{1,9})\"");
    private static final Pattern HEIGHT = Pattern.compile(" height=\"([0-9]{1,9})\"");
    private static final Pattern STYLED_WIDTH = Pattern.compile("style=\"width:\\s*+([1-9][0-9]{0,5})px;?\"");
    private static final Pattern SIZES = Pattern.compile(" sizes=\"(?!auto)");
    private static final Pattern END = Pattern.compile("[/ ]*+>$");

    /** Chosen: what clients of this interface know. A wider picture is offered only where it is the one shown. */
    private static final int WIDEST_OFFERED = 2048;

    private ImageTags() {}

    /**
     * Completes the tags of pictures and frames.
     *
     * @param html rendered
     * @param images tells about uploaded pictures
     * @return the same with more attributes
     */
    static String complete(String html, KnownItems images) {
        if (!html.contains("<img") && !html.contains("<iframe")) {
            return html;
        }
        Set<Long> ids = new HashSet<>();
        TAG.matcher(html).results().forEach(tag -> ids.add(id(tag.group())));
        ids.remove(0L);
        Map<Long, KnownItems.Image> known = ids.isEmpty() ? Map.of() : images.find(ids);
        UnaryOperator<String> completed = tag -> tag.startsWith("<img") ? image(tag, known.get(id(tag))) : lazy(tag);
        return TAG.matcher(html)
                .replaceAll((MatchResult tag) -> Matcher.quoteReplacement(completed.apply(tag.group())));
    }

    private static long id(String tag) {
        Matcher named = NAMED.matcher(tag);
        return named.find() ? Long.parseLong(named.group(1)) : 0;
    }

    private static String image(String tag, KnownItems.@Nullable Image known) {
        String image = tag;
        if (known != null) {
            boolean isMeasured = image.contains(" width=") || image.contains(" height=");
            image = isMeasured ? image : withDimensions(image, known);
            image = image.contains(" srcset=") ? image : withSources(image, known);
        }
        if (image.contains(" src=\"")) {
            image = lazy(image.contains(" decoding=") ? image : with(image, "decoding=\"async\""));
        }
        return image.contains(" loading=\"lazy\"") ? SIZES.matcher(image).replaceFirst(" sizes=\"auto, ") : image;
    }

    /** The size of the element must be known, or the page would move when it is loaded. */
    private static String lazy(String tag) {
        boolean isMeasured = number(WIDTH, tag) > 0 && number(HEIGHT, tag) > 0 && tag.contains(" src=\"");
        boolean isUrgent = tag.contains(" loading=") || tag.contains(" fetchpriority=\"high\"");
        return isMeasured && !isUrgent ? with(tag, "loading=\"lazy\"") : tag;
    }

    private static String with(String tag, String attribute) {
        int end = 1 + Markup.name(tag).length();
        return tag.substring(0, end) + " " + attribute + tag.substring(end);
    }

    private static String source(String tag) {
        Matcher src = SRC.matcher(tag);
        return src.find() ? src.group(1).split("\\?", 2)[0] : "";
    }

    private static int number(Pattern attribute, String tag) {
        Matcher number = attribute.matcher(tag);
        return number.find() ? Integer.parseInt(number.group(1)) : 0;
    }

    private static String file(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Lists the files of a picture with their sizes, the whole picture last. */
    private static Map<String, KnownItems.Size> files(KnownItems.Image known) {
        Map<String, KnownItems.Size> files = new LinkedHashMap<>();
        known.sizes().forEach(size -> files.put(size.file(), size));
        String whole = file(known.path());
        files.put(whole, new KnownItems.Size("full", whole, known.width(), known.height()));
        return files;
    }

    private static String withDimensions(String tag, KnownItems.Image known) {
        Map<String, KnownItems.Size> files = new HashMap<>(files(known));
        files.put(known.original(), new KnownItems.Size("full", known.original(), known.width(), known.height()));
        KnownItems.Size size = files.get(file(source(tag)));
        if (size == null || source(tag).isEmpty() || size.width() == 0 || size.height() == 0) {
            return tag;
        }
        int styled = number(STYLED_WIDTH, tag);
        int width = styled > 0 ? styled : size.width();
        long height = Math.round((double) size.height() * width / size.width());
        return with(tag, "width=\"" + width + "\" height=\"" + height + "\"");
    }

    /** Offers the other sizes of the picture, if the one shown is one of its files, in a folder like its own. */
    static String withSources(String tag, KnownItems.Image known) {
        String src = source(tag);
        String shown = file(src);
        Map<String, KnownItems.Size> files = files(known);
        KnownItems.Size first = files.remove(shown);
        String path = known.path().substring(0, known.path().lastIndexOf('/') + 1) + shown;
        // A smaller file of an animated picture does not move.
        if (first == null || known.isAnimated() || !("/" + src).endsWith("/" + path)) {
            return tag;
        }
        boolean isMeasured = number(WIDTH, tag) > 0 && number(HEIGHT, tag) > 0;
        int width = isMeasured ? number(WIDTH, tag) : first.width();
        int height = isMeasured ? number(HEIGHT, tag) : first.height();
        if (width == 0 || height == 0) {
            return tag;
        }
        String folder = src.substring(0, src.length() - shown.length());
        Map<Integer, String> sources = new LinkedHashMap<>();
        if (isAlike(width, height, first)) {
            sources.put(first.width(), first.file());
        }
        files.values().stream()
                .filter(size -> size.width() <= WIDEST_OFFERED && isAlike(width, height, size))
                .forEach(size -> sources.putIfAbsent(size.width(), size.file()));
        if (sources.size() < 2) {
            return tag;
        }
        StringJoiner set = new StringJoiner(", ");
        sources.forEach((wide, file) -> set.add((folder + file).replace(" ", "%20") + " " + wide + "w"));
        String sizes = tag.contains(" sizes=") ? "" : " sizes=\"(max-width: " + width + "px) 100vw, " + width + "px\"";
        return END.matcher(tag).replaceFirst("") + " srcset=\"" + set + "\"" + sizes + " />";
    }

    /** Proportions are the same where the wider picture, made as wide as the other one, is as high but for a pixel. */
    private static boolean isAlike(int width, int height, KnownItems.Size size) {
        boolean isWider = width > size.width();
        double scale = (double) size.width() / width;
        double difference = isWider ? height * scale - size.height() : size.height() / scale - height;
        return Math.abs(Math.round(difference)) <= 1;
    }
}

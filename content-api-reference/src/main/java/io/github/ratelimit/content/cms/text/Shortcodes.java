package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names in square brackets that are rendered as something else: {@code [caption …]…[/caption]}. In double brackets they
 * are text, and so are unknown names.
 *
 * <p>Brackets within a tag are left alone, so that none can end an attribute.
 */
final class Shortcodes {
    private static final String NAMES = "wp_caption|caption|gallery|audio|video";

    /** The beginning or the end of a shortcode. Old captions hold tags. */
    static final Pattern DELIMITER =
            Pattern.compile("\\[\\[?/?(?:" + NAMES + ")(?=[\\s\\]/])(?:[^\\[\\]<>]++|<[^\\[\\]<>]*+>)*+\\]\\]?");

    private static final Pattern OPENING = Pattern.compile("\\[(\\[?)(" + NAMES + ")(?![\\w-])([^\\[\\]]*+)\\]");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("([\\w-]++)\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s'\"]++))(?:\\s|$)");
    private static final Pattern PICTURE = Pattern.compile(
            "((?:<a [^<>]++>\\s*+)?<img [^<>]++>(?:\\s*+</a>)?)(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern NO_CLASS = Pattern.compile("[^A-Za-z0-9_-]+");
    private static final String PARAGRAPH = "<p>";
    private static final String PARAGRAPH_END = "</p>";

    private Shortcodes() {}

    /** A shortcode that was found. */
    private record Found(String name, Map<String, String> attributes, String content) {}

    /**
     * Renders shortcodes. A paragraph with nothing but a shortcode gives way to it.
     *
     * @param html rendered otherwise
     * @param images tells about uploaded pictures
     * @return HTML
     */
    static String render(String html, KnownItems images) {
        if (html.indexOf('[') < 0) {
            return html;
        }
        Players players = new Players();
        Galleries galleries = new Galleries(images, pictures(html));
        return replaced(html, found -> switch (found.name()) {
            case "gallery" -> galleries.gallery(found.attributes());
            case "audio" -> players.sound(found.attributes());
            case "video" -> players.film(found.attributes(), found.content());
            default -> caption(found);
        });
    }

    /**
     * Removes shortcodes together with the text that they enclose.
     *
     * @param html any
     * @return the rest
     */
    static String remove(String html) {
        return html.indexOf('[') < 0 ? html : replaced(html, found -> "");
    }

    /** Lists the pictures of all galleries, so that they are looked up at once. */
    private static Set<Long> pictures(String html) {
        Set<Long> ids = new HashSet<>();
        Matcher opening = OPENING.matcher(html);
        while (ids.size() < Galleries.MOST_PICTURES && opening.find()) {
            if (opening.group(2).equals("gallery")) {
                ids.addAll(Galleries.ids(attributes(opening.group(3))));
            }
        }
        return ids;
    }

    private static String caption(Found found) {
        Map<String, String> attributes = found.attributes();
        String content = found.content();
        String caption = HtmlPolicy.cleanContent(attributes.getOrDefault("caption", ""));
        Matcher picture = PICTURE.matcher(content);
        if (caption.isEmpty() && picture.find()) {
            content = picture.group(1);
            caption = picture.group(2).strip();
        }
        String width = Players.digits(attributes.getOrDefault("width", ""));
        if (width.isEmpty() || caption.isEmpty()) {
            return found.content();
        }
        String id = NO_CLASS.matcher(attributes.getOrDefault("id", "")).replaceAll("");
        String captionId = "caption-" + id.replace('_', '-');
        String classes = ("wp-caption " + attributes.getOrDefault("align", "alignnone") + " "
                        + attributes.getOrDefault("class", ""))
                .strip();
        return "<figure " + (id.isEmpty() ? "" : "id=\"" + id + "\" aria-describedby=\"" + captionId + "\" ")
                + "style=\"width: " + width + "px\" class=\"" + Markup.encoded(classes) + "\">" + content
                + "<figcaption " + (id.isEmpty() ? "" : "id=\"" + captionId + "\" ")
                + "class=\"wp-caption-text\">" + caption + "</figcaption></figure>";
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(text);
        while (attribute.find()) {
            String quoted = Objects.requireNonNullElse(attribute.group(2), "");
            String value = attribute.group(3) == null ? attribute.group(4) : attribute.group(3);
            attributes.put(Letters.lower(attribute.group(1)), Objects.requireNonNullElse(value, quoted));
        }
        return attributes;
    }

    private static String replaced(String html, Function<Found, String> replacement) {
        String text = withoutTags(html);
        StringBuilder out = new StringBuilder(html.length() + 64);
        // Where no end follows, none is looked for.
        Map<String, Integer> lastEnds = new HashMap<>();
        for (String name : NAMES.split("\\|")) {
            lastEnds.put(name, text.lastIndexOf("[/" + name + "]"));
        }
        Matcher opening = OPENING.matcher(text);
        int at = 0;
        while (opening.find(at)) {
            String name = opening.group(2);
            int end = opening.end();
            int contentEnd = end;
            if (!opening.group(3).endsWith("/") && lastEnds.getOrDefault(name, -1) >= end) {
                contentEnd = text.indexOf("[/" + name + "]", end);
                end = contentEnd + name.length() + "[/]".length();
            }
            out.append(html, at, opening.start());
            if (!opening.group(1).isEmpty() && text.startsWith("]", end)) {
                out.append(html, opening.start() + 1, end);
                at = end + 1;
                continue;
            }
            out.append(opening.group(1));
            boolean isAlone = endsWith(out, PARAGRAPH) && html.startsWith(PARAGRAPH_END, end);
            out.setLength(out.length() - (isAlone ? PARAGRAPH.length() : 0));
            out.append(replacement.apply(new Found(
                    name,
                    attributes(html.substring(opening.start(3), opening.end(3))),
                    html.substring(opening.end(), contentEnd))));
            at = end + (isAlone ? PARAGRAPH_END.length() : 0);
        }
        return out.append(html, at, html.length()).toString();
    }

    private static boolean endsWith(StringBuilder text, String end) {
        return text.length() >= end.length() && text.indexOf(end, text.length() - end.length()) >= 0;
    }

    /** Blanks out tags, so that every place in the text stays the same. */
    private static String withoutTags(String html) {
        StringBuilder text = new StringBuilder(html.length());
        int end;
        for (int at = 0; at < html.length(); at = end) {
            end = Markup.pieceEnd(html, at);
            text.append(html.charAt(at) == '<' ? "\0".repeat(end - at) : html.substring(at, end));
        }
        return text.toString();
    }
}

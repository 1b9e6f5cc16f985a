package io.github.ratelimit.content.cms.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Elements that play sounds and films, as {@code [audio]} and {@code [video]} ask for them. Each has a number.
 *
 * <p>Not safe for concurrent use.
 */
final class Players {
    private static final Map<String, String> SOUNDS =
            types("mp3=audio/mpeg", "ogg=audio/ogg", "flac=audio/flac", "m4a=audio/mpeg", "wav=audio/wav");
    private static final Map<String, String> FILMS =
            types("mp4=video/mp4", "m4v=video/mp4", "webm=video/webm", "ogv=video/ogg", "flv=video/x-flv");

    private static final Pattern NOT_IN_ADDRESSES =
            Pattern.compile("[^A-Za-z0-9~+_.?#=!&;,/:%@$|*'()\\[\\]\\x{80}-\\x{10ffff}-]");
    private static final Pattern NUMBER = Pattern.compile("\\s*+0*+([1-9][0-9]{0,8})(?![0-9])");

    private static final Pattern IGNORED = Pattern.compile("[\\s;]+");

    private int sounds;
    private int films;

    private static Map<String, String> types(String... pairs) {
        Map<String, String> types = new LinkedHashMap<>();
        for (String pair : pairs) {
            types.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return types;
    }

    /** Makes an element that plays a sound; nothing without a source. */
    String sound(Map<String, String> attributes) {
        sounds++;
        List<String> files = files(attributes, SOUNDS);
        if (files.isEmpty()) {
            return link("wp-embedded-audio", attributes.getOrDefault("src", ""));
        }
        return "<audio" + className(attributes, "wp-audio-shortcode") + " id=\"audio-" + Rendering.ITEM + "-" + sounds
                + "\"" + switches(attributes, "none") + " style=\""
                + Markup.encoded(style(attributes.getOrDefault("style", "width: 100%;"))) + "\" controls=\"controls\">"
                + sources(files, SOUNDS, sounds) + fallback(files) + "</audio>";
    }

    /** Makes an element that plays a film; nothing without a source. */
    String film(Map<String, String> attributes, String inside) {
        films++;
        List<String> files = files(attributes, FILMS);
        if (files.isEmpty()) {
            return link("wp-embedded-video", attributes.getOrDefault("src", ""));
        }
        String width = digits(attributes.getOrDefault("width", "640"));
        return "<div style=\"" + (width.isEmpty() ? "" : "width: " + width + "px;")
                + "\" class=\"wp-video\"><video" + className(attributes, "wp-video-shortcode") + " id=\"video-"
                + Rendering.ITEM + "-"
                + films + "\"" + attribute("width", width)
                + attribute("height", digits(attributes.getOrDefault("height", "360")))
                + attribute("poster", address(attributes.getOrDefault("poster", "")))
                + switches(attributes, "metadata") + " controls=\"controls\">" + sources(files, FILMS, films)
                + inside.strip() + fallback(files) + "</video></div>";
    }

    /** Lists the sources: {@code src}, then one for each type; none if none has a known type. */
    private static List<String> files(Map<String, String> attributes, Map<String, String> types) {
        List<String> files = Stream.concat(Stream.of("src"), types.keySet().stream())
                .map(name -> attributes.getOrDefault(name, ""))
                .filter(file -> !file.isEmpty())
                .toList();
        boolean isKnown = !files.isEmpty() && types.containsKey(extension(files.get(0)));
        return isKnown ? files : List.of();
    }

    private static String extension(String address) {
        String path = address.split("[?#]", 2)[0];
        return Letters.lower(path.substring(path.lastIndexOf('.') + 1));
    }

    private static String switches(Map<String, String> attributes, String preload) {
        StringBuilder html = new StringBuilder();
        for (String name : List.of("loop", "autoplay", "muted")) {
            String value = attributes.getOrDefault(name, "");
            html.append(List.of("", "0", "false").contains(value) ? "" : " " + name);
        }
        String value = attributes.getOrDefault("preload", preload);
        return html + (List.of("none", "metadata", "auto").contains(value) ? " preload=\"" + value + "\"" : "");
    }

    private static String className(Map<String, String> attributes, String usual) {
        return " class=\"" + Markup.encoded(attributes.getOrDefault("class", usual)) + "\"";
    }

    /** Whoever wrote it, its declarations are harmless; where all are, it stays as it was written. */
    private static String style(String written) {
        String kept = HtmlPolicy.style(written);
        return IGNORED.matcher(kept)
                        .replaceAll("")
                        .equals(IGNORED.matcher(written).replaceAll(""))
                ? written
                : kept;
    }

    private static String attribute(String name, String value) {
        return value.isEmpty() ? "" : " " + name + "=\"" + value + "\"";
    }

    private static String sources(List<String> files, Map<String, String> types, int number) {
        StringBuilder html = new StringBuilder();
        for (String file : files) {
            String type = Optional.ofNullable(types.get(extension(file))).orElse("");
            html.append("<source type=\"")
                    .append(type)
                    .append("\" src=\"")
                    .append(address(file + (file.indexOf('?') < 0 ? "?_=" : "&_=") + number))
                    .append("\" />");
        }
        return html.toString();
    }

    private static String fallback(List<String> files) {
        String first = address(files.get(0));
        return "<a href=\"" + first + "\">" + first + "</a>";
    }

    private static String link(String type, String address) {
        return address.isEmpty()
                ? ""
                : "<a class=\"" + type + "\" href=\"" + address(address) + "\">" + Markup.encoded(address) + "</a>";
    }

    /** Spells an address as the value of an attribute; nothing where it could run code. */
    static String address(String sent) {
        String plain = NOT_IN_ADDRESSES
                .matcher(sent.strip().replace(" ", "%20").replace("&amp;", "&").replace("&#038;", "&"))
                .replaceAll("");
        boolean isWhole = plain.isEmpty() || plain.indexOf(':') >= 0 || "/#?".indexOf(plain.charAt(0)) >= 0;
        String address = isWhole ? plain : "http://" + plain;
        return HtmlPolicy.isSafeAddress(address)
                ? address.replace("&", "&#038;").replace("'", "&#039;")
                : "";
    }

    /** Reads the positive number that a text begins with; nothing where there is none. */
    static String digits(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.lookingAt() ? number.group(1) : "";
    }
}

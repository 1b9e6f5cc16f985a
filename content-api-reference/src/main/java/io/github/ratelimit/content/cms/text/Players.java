package io.github.ratelimit.content.cms.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Elements that play sounds and films, as {@code [audio]} and {@code [video]} ask for them.
 *
 * <p>Each has a number, which browsers' caches and scripts tell it from others by. Not safe for concurrent use.
 */
final class Players {
    private static final Map<String, String> SOUNDS = Map.of(
            "mp3", "audio/mpeg", "ogg", "audio/ogg", "flac", "audio/flac", "m4a", "audio/mpeg", "wav", "audio/wav");

    private static final List<String> SOUNDS_IN_ORDER = List.of("mp3", "ogg", "flac", "m4a", "wav");

    private static final Map<String, String> FILMS = Map.of(
            "mp4", "video/mp4", "m4v", "video/mp4", "webm", "video/webm", "ogv", "video/ogg", "flv", "video/x-flv");

    private static final List<String> FILMS_IN_ORDER = List.of("mp4", "m4v", "webm", "ogv", "flv");

    private static final Pattern NOT_IN_ADDRESSES =
            Pattern.compile("[^A-Za-z0-9~+_.?#=!&;,/:%@$|*'()\\[\\]\\x{80}-\\x{10ffff}-]");
    private static final Pattern SPACE_IN_FILMS = Pattern.compile("[\\r\\n\\t]");
    private static final Pattern NO_NUMBER = Pattern.compile("[^0-9].*", Pattern.DOTALL);

    private int sounds;
    private int films;

    /**
     * Tells what plays a file.
     *
     * @param address of the file
     * @return the name of a shortcode, or nothing where it is neither sound nor film
     */
    static String kind(String address) {
        String extension = extension(address);
        return SOUNDS.containsKey(extension) ? "audio" : FILMS.containsKey(extension) ? "video" : "";
    }

    /** Makes an element that plays a sound; nothing without one. */
    String sound(Map<String, String> wishes) {
        sounds++;
        List<String> files = files(wishes, SOUNDS, SOUNDS_IN_ORDER);
        String src = wishes.getOrDefault("src", "");
        if (files.isEmpty()) {
            return src.isEmpty() ? "" : link("wp-embedded-audio", src);
        }
        StringBuilder html = new StringBuilder("<audio");
        attribute(html, "class", wishes.getOrDefault("class", "wp-audio-shortcode"));
        attribute(html, "id", "audio-" + Placeholders.ITEM + "-" + sounds);
        switches(html, wishes, "none");
        String style = wishes.getOrDefault("style", "width: 100%;");
        attribute(html, "style", wishes.containsKey("style") ? SafeStyles.of(style) : style);
        html.append(" controls=\"controls\">");
        sources(html, files, SOUNDS, sounds);
        return html.append("</audio>").toString();
    }

    /** Makes an element that plays a film; nothing without one. */
    String film(Map<String, String> wishes, String inside) {
        films++;
        List<String> files = files(wishes, FILMS, FILMS_IN_ORDER);
        String src = wishes.getOrDefault("src", "");
        if (files.isEmpty()) {
            return src.isEmpty() ? "" : link("wp-embedded-video", src);
        }
        String width = digits(wishes.getOrDefault("width", "640"));
        String height = digits(wishes.getOrDefault("height", "360"));
        StringBuilder html = new StringBuilder("<div style=\"")
                .append(width.isEmpty() ? "" : "width: " + width + "px;")
                .append("\" class=\"wp-video\"><video");
        attribute(html, "class", wishes.getOrDefault("class", "wp-video-shortcode"));
        attribute(html, "id", "video-" + Placeholders.ITEM + "-" + films);
        attribute(html, "width", width);
        attribute(html, "height", height);
        String poster = address(wishes.getOrDefault("poster", ""));
        html.append(poster.isEmpty() ? "" : " poster=\"" + poster + "\"");
        switches(html, wishes, "metadata");
        html.append(" controls=\"controls\">");
        int fallback = sources(html, files, FILMS, films);
        html.insert(fallback, SPACE_IN_FILMS.matcher(inside).replaceAll("").strip());
        return html.append("</video></div>").toString();
    }

    /** Lists addresses: the one that is meant in any case, then one for each kind of file; none if none fits. */
    private static List<String> files(Map<String, String> wishes, Map<String, String> types, List<String> order) {
        List<String> files = new ArrayList<>();
        String src = wishes.getOrDefault("src", "");
        boolean fits = !src.isEmpty() && types.containsKey(extension(src));
        if (!src.isEmpty() && !fits) {
            return files;
        }
        if (fits) {
            files.add(src);
        }
        for (String type : order) {
            String file = wishes.getOrDefault(type, "");
            fits |= !file.isEmpty() && extension(file).equals(type);
            if (!file.isEmpty()) {
                files.add(file);
            }
        }
        return fits ? files : List.of();
    }

    private static String extension(String address) {
        return LetterCase.lower(address.substring(address.lastIndexOf('.') + 1));
    }

    private static void switches(StringBuilder html, Map<String, String> wishes, String preload) {
        for (String name : List.of("loop", "autoplay", "muted")) {
            String wish = wishes.getOrDefault(name, "");
            html.append(wish.isEmpty() || wish.equals("0") || wish.equalsIgnoreCase("false") ? "" : " " + name);
        }
        String wish = wishes.getOrDefault("preload", preload);
        html.append(List.of("none", "metadata", "auto").contains(wish) ? " preload=\"" + wish + "\"" : "");
    }

    private static void attribute(StringBuilder html, String name, String value) {
        html.append(value.isEmpty() ? "" : " " + name + "=\"" + References.encoded(value) + "\"");
    }

    /** Returns where the words for browsers that play nothing begin. */
    private static int sources(StringBuilder html, List<String> files, Map<String, String> types, int number) {
        for (String file : files) {
            int fragment = file.indexOf('#') < 0 ? file.length() : file.indexOf('#');
            String before = file.substring(0, fragment);
            String numbered = before + (before.indexOf('?') < 0 ? "?_=" : "&_=") + number + file.substring(fragment);
            html.append("<source type=\"")
                    .append(types.getOrDefault(extension(file), ""))
                    .append("\" src=\"")
                    .append(address(numbered))
                    .append("\" />");
        }
        int begin = html.length();
        String first = address(files.get(0));
        html.append("<a href=\"").append(first).append("\">").append(first).append("</a>");
        return begin;
    }

    private static String link(String type, String address) {
        return "<a class=\"" + type + "\" href=\"" + address(address) + "\">" + References.encoded(address) + "</a>";
    }

    /** Spells an address as the value of an attribute; nothing where its scheme is not known. */
    static String address(String sent) {
        String plain = NOT_IN_ADDRESSES
                .matcher(sent.strip().replace(" ", "%20").replace("&amp;", "&").replace("&#038;", "&"))
                .replaceAll("");
        boolean isWhole = plain.isEmpty() || plain.indexOf(':') >= 0 || "/#?".indexOf(plain.charAt(0)) >= 0;
        String address = isWhole ? plain : "http://" + plain;
        return SafeAddresses.of(address).equalsIgnoreCase(address)
                ? address.replace("&", "&#038;").replace("'", "&#039;")
                : "";
    }

    private static String digits(String number) {
        String digits = NO_NUMBER.matcher(number.strip()).replaceAll("");
        return digits.length() > 9 || digits.chars().allMatch(one -> one == '0') ? "" : digits;
    }
}

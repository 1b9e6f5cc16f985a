package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Faces that people type with marks, as characters. A face stands alone, between spaces. */
final class Smilies {
    private static final Set<String> VERBATIM = Set.of("code", "pre", "style", "script", "textarea");

    /** Each character with the faces that it stands for. */
    private static final String[] ROWS = {
        "\uD83D\uDE10 :neutral: :-| :|",
        "\uD83D\uDE08 :twisted:",
        "\u27A1 :arrow:",
        "\uD83D\uDE2F :shock: 8-O 8O",
        "\uD83D\uDE42 :smile: :-) :)",
        "\uD83D\uDE15 :???: :-? :?",
        "\uD83D\uDE0E :cool: 8-)",
        "\uD83D\uDC7F :evil:",
        "\uD83D\uDE00 :grin: :-D :D",
        "\uD83D\uDCA1 :idea:",
        "\uD83D\uDE33 :oops:",
        "\uD83D\uDE1B :razz: :-P :P",
        "\uD83D\uDE44 :roll:",
        "\uD83D\uDE09 :wink: ;-) ;)",
        "\uD83D\uDE25 :cry:",
        "\uD83D\uDE2E :eek: :-o :o",
        "\uD83D\uDE06 :lol:",
        "\uD83D\uDE21 :mad: :-x :x",
        "\uD83D\uDE41 :sad: :-( :(",
        "\u2757 :!:",
        "\u2753 :?:"
    };

    private static final Map<String, String> FACES = faces();

    private static final String SPACE = "&nbsp;";

    /** By the mark that they begin with, the longest first. */
    private static final Map<Character, List<String>> BY_BEGINNING = FACES.keySet().stream()
            .sorted(Comparator.comparing(String::length).reversed())
            .collect(Collectors.groupingBy(face -> face.charAt(0)));

    private Smilies() {}

    private static Map<String, String> faces() {
        Map<String, String> faces = new HashMap<>();
        for (String row : ROWS) {
            String[] parts = row.split(" ", -1);
            Arrays.stream(parts).skip(1).forEach(face -> faces.put(face, parts[0]));
        }
        return faces;
    }

    /**
     * Puts characters in place of faces.
     *
     * @param html any text
     * @return the same but for faces in what is between tags, not in code
     */
    static String apply(String html) {
        if (html.indexOf(':') < 0 && html.indexOf(';') < 0 && html.indexOf('8') < 0) {
            return html;
        }
        StringBuilder shown = new StringBuilder(html.length());
        String verbatim = "";
        int end;
        for (int at = 0; at < html.length(); at = end) {
            end = Markup.pieceEnd(html, at);
            if (html.charAt(at) != '<') {
                if (verbatim.isEmpty()) {
                    appendFaces(shown, html.substring(at, end));
                } else {
                    shown.append(html, at, end);
                }
                continue;
            }
            boolean closes = html.startsWith("</", at);
            String name = verbatimElement(html, at + (closes ? 2 : 1));
            if (verbatim.isEmpty() && !closes) {
                verbatim = name;
            } else if (closes && name.equals(verbatim)) {
                verbatim = "";
            }
            shown.append(html, at, end);
        }
        return shown.toString();
    }

    private static String verbatimElement(String html, int begin) {
        for (String name : VERBATIM) {
            int end = begin + name.length();
            // The first letter is looked at where it stands: most tags have another one.
            if (end <= html.length()
                    && (html.charAt(begin) | ' ') == name.charAt(0)
                    && (end == html.length() || !Character.isLetterOrDigit(html.charAt(end)))
                    && html.substring(begin, end).toLowerCase(Locale.ROOT).equals(name)) {
                return name;
            }
        }
        return "";
    }

    private static void appendFaces(StringBuilder shown, String text) {
        int at = 0;
        while (at < text.length()) {
            String face = isAfterSpace(text, at) ? face(text, at) : "";
            if (face.isEmpty()) {
                shown.append(text.charAt(at));
                at++;
            } else {
                shown.append(FACES.get(face));
                at += face.length();
            }
        }
    }

    private static String face(String text, int at) {
        for (String face : BY_BEGINNING.getOrDefault(text.charAt(at), List.of())) {
            if (text.startsWith(face, at) && isBeforeSpace(text, at + face.length())) {
                return face;
            }
        }
        return "";
    }

    private static boolean isAfterSpace(String text, int at) {
        return at == 0 || isSpace(text.charAt(at - 1)) || text.startsWith(SPACE, at - SPACE.length());
    }

    private static boolean isBeforeSpace(String text, int at) {
        return at == text.length() || isSpace(text.charAt(at)) || text.startsWith(SPACE, at);
    }

    private static boolean isSpace(char one) {
        return switch (one) {
            case ' ', '\n', '\r', '\t', '\u00a0', '\u0085', '\u2028', '\u2029' -> true;
            default -> false;
        };
    }
}

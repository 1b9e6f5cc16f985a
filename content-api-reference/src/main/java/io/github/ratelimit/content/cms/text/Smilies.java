package io.github.ratelimit.content.cms.text;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Faces that people type with marks, as characters. A face stands alone, between spaces. */
final class Smilies {
    private static final Set<String> VERBATIM = Set.of("code", "pre", "style", "script", "textarea");

    private static final Map<String, String> FACES = Map.ofEntries(
            Map.entry(":neutral:", "\uD83D\uDE10"),
            Map.entry(":twisted:", "\uD83D\uDE08"),
            Map.entry(":arrow:", "\u27A1"),
            Map.entry(":shock:", "\uD83D\uDE2F"),
            Map.entry(":smile:", "\uD83D\uDE42"),
            Map.entry(":???:", "\uD83D\uDE15"),
            Map.entry(":cool:", "\uD83D\uDE0E"),
            Map.entry(":evil:", "\uD83D\uDC7F"),
            Map.entry(":grin:", "\uD83D\uDE00"),
            Map.entry(":idea:", "\uD83D\uDCA1"),
            Map.entry(":oops:", "\uD83D\uDE33"),
            Map.entry(":razz:", "\uD83D\uDE1B"),
            Map.entry(":roll:", "\uD83D\uDE44"),
            Map.entry(":wink:", "\uD83D\uDE09"),
            Map.entry(":cry:", "\uD83D\uDE25"),
            Map.entry(":eek:", "\uD83D\uDE2E"),
            Map.entry(":lol:", "\uD83D\uDE06"),
            Map.entry(":mad:", "\uD83D\uDE21"),
            Map.entry(":sad:", "\uD83D\uDE41"),
            Map.entry(":!:", "\u2757"),
            Map.entry(":?:", "\u2753"),
            Map.entry("8-)", "\uD83D\uDE0E"),
            Map.entry("8-O", "\uD83D\uDE2F"),
            Map.entry(":-(", "\uD83D\uDE41"),
            Map.entry(":-)", "\uD83D\uDE42"),
            Map.entry(":-?", "\uD83D\uDE15"),
            Map.entry(":-D", "\uD83D\uDE00"),
            Map.entry(":-P", "\uD83D\uDE1B"),
            Map.entry(":-o", "\uD83D\uDE2E"),
            Map.entry(":-x", "\uD83D\uDE21"),
            Map.entry(":-|", "\uD83D\uDE10"),
            Map.entry(";-)", "\uD83D\uDE09"),
            Map.entry("8O", "\uD83D\uDE2F"),
            Map.entry(":(", "\uD83D\uDE41"),
            Map.entry(":)", "\uD83D\uDE42"),
            Map.entry(":?", "\uD83D\uDE15"),
            Map.entry(":D", "\uD83D\uDE00"),
            Map.entry(":P", "\uD83D\uDE1B"),
            Map.entry(":o", "\uD83D\uDE2E"),
            Map.entry(":x", "\uD83D\uDE21"),
            Map.entry(":|", "\uD83D\uDE10"),
            Map.entry(";)", "\uD83D\uDE09"));

    private static final String SPACE = "[\\r\\n\\t \\u00a0]|&nbsp;";
    private static final Pattern FACE = Pattern.compile(
            // What is behind is looked at only where one may begin, and first its last character alone: references are
            // full of them.
            "(?=[:;8])(?<![^\\r\\n\\t \\u00a0;\\u0085\\u2028\\u2029])(?<=" + SPACE + "|^)(?:"
                    + FACES.keySet().stream()
                            .sorted((one, other) -> other.length() - one.length())
                            .map(Pattern::quote)
                            .collect(Collectors.joining("|"))
                    + ")(?=" + SPACE + "|$)",
            Pattern.MULTILINE);

    private Smilies() {}

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
        for (String token : Markup.tokens(html)) {
            if (!Markup.isTag(token)) {
                shown.append(verbatim.isEmpty() ? faces(token) : token);
                continue;
            }
            String name = token.startsWith("<!--") ? "" : Markup.name(token);
            if (verbatim.isEmpty() && !token.startsWith("</") && VERBATIM.contains(name)) {
                verbatim = name;
            } else if (token.startsWith("</") && name.equals(verbatim)) {
                verbatim = "";
            }
            shown.append(token);
        }
        return shown.toString();
    }

    private static String faces(String text) {
        return FACE.matcher(text).replaceAll(face -> Matcher.quoteReplacement(FACES.getOrDefault(face.group(), "")));
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Marks as a typesetter sets them: quotation marks that open and close, dashes, an ellipsis, primes, a multiplication
 * sign; and ampersands as character references.
 *
 * <p>Each text between two tags is read alone. Tags keep their marks, and so does the text of elements for code.
 */
final class Typography {
    private static final List<String> CODE = List.of("pre", "code", "kbd", "style", "script", "tt");

    private static final Pattern LOOSE_AMPERSAND =
            Pattern.compile("&(?!#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});|[a-zA-Z][a-zA-Z0-9]{1,30};)");
    private static final Pattern TIMES =
            Pattern.compile("(?<![\\w.,])(?!0x)([0-9][0-9.,]*+)x(?=[0-9][0-9.,]*+(?!\\w))");

    /** Marks while it is not known yet what they are: no text contains these characters. */
    private static final String OPENING = "\ufdd0";

    private static final String CANDIDATE = "\ufdd1";

    private static final String APOSTROPHE = "\ufdd2";

    private static final String CLOSING = "&#8217;";
    private static final String SPACE = "[\\r\\n\\t \u00a0]|&nbsp;";
    private static final String BEHIND_SPACE = "(?<=\\A|" + SPACE + ")";
    private static final String BEFORE_SPACE = "(?=\\z|" + SPACE + ")";
    private static final String BEFORE_END = "(?=\\z|[.,:;!?)}\\-\\]]|&gt;|" + SPACE + ")";

    private static final Map<Pattern, String> WRITTEN = rules(
            "\\.\\.\\.", "&#8230;",
            "``", "&#8220;",
            "''", "&#8221;",
            " \\(tm\\)", " &#8482;",
            // Words that begin with an apostrophe.
            "'(tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)", CLOSING + "$1");

    private static final Map<Pattern, String> SINGLE = rules(
            "'(\\d\\d)'" + BEFORE_END,
            APOSTROPHE + "$1" + CLOSING,
            "'(\\d\\d)\"" + BEFORE_END,
            APOSTROPHE + "$1&#8221;",
            "'(?=\\d\\d(?:\\z|(?![%\\d]|[.,]\\d)))",
            APOSTROPHE,
            BEHIND_SPACE + "'(\\d[.,\\d]*+)'",
            OPENING + "$1" + CLOSING,
            "(?<=\\A|[(\\[{\"\\-]|&lt;|" + SPACE + ")'",
            OPENING,
            "(?<!" + SPACE + ")'(?!\\z|[.,:;!?\"'(){}\\[\\]\\-]|&[lg]t;|" + SPACE + ")",
            APOSTROPHE);

    private static final Map<Pattern, String> DOUBLE = rules(
            BEHIND_SPACE + "\"(\\d[.,\\d]*+)\"",
            OPENING + "$1&#8221;",
            "(?<=\\A|[(\\[{\\-]|&lt;|" + SPACE + ")\"(?!" + SPACE + ")",
            OPENING);

    private static final Map<Pattern, String> DASHES = rules(
            "---",
            "&#8212;",
            BEHIND_SPACE + "--" + BEFORE_SPACE,
            "&#8212;",
            "(?<!xn)--",
            "&#8211;",
            BEHIND_SPACE + "-" + BEFORE_SPACE,
            "&#8211;");

    private Typography() {}

    /**
     * Sets typographic marks in the text between the tags.
     *
     * @param html any text without placeholders
     * @return the same with marks set
     */
    static String apply(String html) {
        StringBuilder set = new StringBuilder(html.length() + html.length() / 8 + 16);
        String code = "";
        Matcher shortcode = Shortcodes.DELIMITER.matcher(html);
        boolean isFound = html.indexOf('[') >= 0 && shortcode.find();
        int end;
        for (int at = 0; at < html.length(); at = end) {
            while (isFound && shortcode.start() < at) {
                isFound = shortcode.find(at);
            }
            end = Markup.pieceEnd(html, at);
            if (isFound && shortcode.start() < end && code.isEmpty() && html.charAt(at) != '<') {
                // It may hold tags, which are no ends of it.
                set.append(marks(html.substring(at, shortcode.start()))).append(shortcode.group());
                end = shortcode.end();
                continue;
            }
            String piece = html.substring(at, end);
            if (piece.startsWith("<!--")) {
                set.append(piece);
            } else if (piece.startsWith("<")) {
                set.append(withReferences(piece));
                String name = Markup.name(piece);
                if (code.isEmpty() && !piece.startsWith("</")) {
                    code = CODE.contains(name) ? name : "";
                } else if (piece.startsWith("</") && name.equals(code)) {
                    code = "";
                }
            } else if (code.isEmpty()) {
                set.append(marks(piece));
            } else {
                set.append(piece);
            }
        }
        return set.toString();
    }

    /**
     * Spells ampersands that begin no character reference as one.
     *
     * @param html any
     * @return the same, changed only there
     */
    static String withReferences(String html) {
        return html.indexOf('&') < 0 ? html : LOOSE_AMPERSAND.matcher(html).replaceAll("&#038;");
    }

    private static String marks(String text) {
        String set = applied(WRITTEN, withReferences(text));
        if (set.indexOf('\'') >= 0) {
            set = closed(applied(SINGLE, set), "'", "&#8242;", CLOSING)
                    .replace(OPENING, "&#8216;")
                    .replace(APOSTROPHE, CLOSING);
        }
        if (set.indexOf('"') >= 0) {
            set = closed(applied(DOUBLE, set), "\"", "&#8243;", "&#8221;").replace(OPENING, "&#8220;");
        }
        set = set.indexOf('-') < 0 ? set : applied(DASHES, set);
        return set.indexOf('x') < 0 ? set : TIMES.matcher(set).replaceAll("$1&#215;");
    }

    /**
     * Tells closing quotation marks from primes. Behind an opening mark the one before the end of a word closes; of several,
     * one that no digit precedes, else one before a full stop, else the last one. Other marks behind digits are primes.
     */
    private static String closed(String text, String mark, String prime, String closing) {
        String behindDigit = "(?<=\\d)";
        StringBuilder closed = new StringBuilder(text.length() + 16);
        String[] parts = text.split(OPENING, -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i];
            boolean isOpen = i > 0 && !part.contains(closing);
            String found = isOpen ? part.replaceAll(mark + BEFORE_END, CANDIDATE) : part;
            if (found.indexOf(CANDIDATE) != found.lastIndexOf(CANDIDATE)) {
                String sure = found.replaceAll("(?<!\\d)" + CANDIDATE, closing);
                if (sure.equals(found)) {
                    int stop = found.lastIndexOf(CANDIDATE + ".");
                    int last = stop < 0 ? found.lastIndexOf(CANDIDATE) : stop;
                    sure = found.substring(0, last) + closing + found.substring(last + 1);
                }
                found = sure.replaceAll(behindDigit + CANDIDATE, prime);
            }
            String set = found.replace(CANDIDATE, closing).replaceAll(behindDigit + mark, prime);
            set = isOpen ? set : set.replaceAll(mark + BEFORE_END, closing);
            closed.append(i == 0 ? "" : OPENING).append(mark.equals("\"") ? set.replace(mark, closing) : set);
        }
        return closed.toString();
    }

    private static Map<Pattern, String> rules(String... texts) {
        Map<Pattern, String> rules = new LinkedHashMap<>();
        for (int i = 0; i < texts.length; i += 2) {
            rules.put(Pattern.compile(texts[i]), texts[i + 1]);
        }
        return rules;
    }

    private static String applied(Map<Pattern, String> rules, String text) {
        String set = text;
        for (Map.Entry<Pattern, String> rule : rules.entrySet()) {
            set = rule.getKey().matcher(set).replaceAll(rule.getValue());
        }
        return set;
    }
}

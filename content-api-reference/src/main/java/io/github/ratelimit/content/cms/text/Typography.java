package io.github.ratelimit.content.cms.text;

import java.util.List;
import java.util.Optional;
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

    private static final String APOSTROPHE = "&#8217;";
    private static final String EM_DASH = "&#8212;";
    private static final String EN_DASH = "&#8211;";

    /** Words that begin with an apostrophe, not with a quotation mark. */
    private static final Pattern SHORTENED = Pattern.compile(
            "'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em|[0-9]{2}(?![0-9%]|[.,][0-9]))");

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
        int end;
        for (int at = 0; at < html.length(); at = end) {
            end = Markup.pieceEnd(html, at);
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
                appendMarksAroundShortcodes(set, piece);
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

    private static void appendMarksAroundShortcodes(StringBuilder set, String text) {
        int copied = 0;
        if (text.indexOf('[') >= 0) {
            Matcher shortcode = Shortcodes.DELIMITER.matcher(text);
            while (shortcode.find()) {
                new Marks(text.substring(copied, shortcode.start()), set).append();
                set.append(shortcode.group());
                copied = shortcode.end();
            }
        }
        new Marks(text.substring(copied), set).append();
    }

    /** The marks of one text. */
    private static final class Marks {
        private final String text;
        private final StringBuilder set;
        private boolean isSingleOpen;
        private boolean isDoubleOpen;

        Marks(String text, StringBuilder set) {
            String spelled = withReferences(text)
                    .replace("...", "&#8230;")
                    .replace("``", "&#8220;")
                    .replace("''", "&#8221;")
                    .replace(" (tm)", " &#8482;");
            this.text =
                    spelled.indexOf('x') < 0 ? spelled : TIMES.matcher(spelled).replaceAll("$1&#215;");
            this.set = set;
        }

        void append() {
            int at = 0;
            while (at < text.length()) {
                char one = text.charAt(at);
                switch (one) {
                    case '\'' -> set.append(single(at));
                    case '"' -> set.append(dbl(at));
                    case '-' -> at = appendDashes(at) - 1;
                    default -> set.append(one);
                }
                at++;
            }
        }

        private String single(int at) {
            boolean isWithinWord = isWordCharacter(at - 1) && isWordCharacter(at + 1);
            if (isWithinWord
                    || SHORTENED.matcher(text).region(at, text.length()).lookingAt()) {
                return APOSTROPHE;
            }
            if (isAfterOpening(at, "([{\"-")) {
                isSingleOpen = true;
                return "&#8216;";
            }
            boolean isPrime = isDigit(at - 1) && !isSingleOpen;
            isSingleOpen = false;
            return isPrime ? "&#8242;" : APOSTROPHE;
        }

        private String dbl(int at) {
            if (isAfterOpening(at, "([{-'") && !isSpace(at + 1)) {
                isDoubleOpen = true;
                return "&#8220;";
            }
            boolean isPrime = isDigit(at - 1) && !isDoubleOpen;
            isDoubleOpen = false;
            return isPrime ? "&#8243;" : "&#8221;";
        }

        /** Three hyphens are a long dash. Two are a short one, and a long one between spaces. One is a dash only there. */
        private int appendDashes(int begin) {
            int end = begin;
            while (end < text.length() && text.charAt(end) == '-') {
                end++;
            }
            int hyphens = end - begin;
            boolean isBetweenSpaces = hyphens < 3 && isAfterSpace(begin) && (end == text.length() || isSpace(end));
            set.append(EM_DASH.repeat(hyphens / 3));
            if (hyphens % 3 == 2) {
                // Two hyphens after "xn" belong to the name of an internationalised domain.
                boolean isDomain = hyphens == 2 && text.startsWith("xn", begin - 2);
                set.append(isBetweenSpaces ? EM_DASH : isDomain ? "--" : EN_DASH);
            } else if (hyphens % 3 == 1) {
                set.append(isBetweenSpaces ? EN_DASH : "-");
            }
            return end;
        }

        private boolean isAfterOpening(int at, String brackets) {
            return isAfterSpace(at) || brackets.indexOf(text.charAt(at - 1)) >= 0 || text.startsWith("&lt;", at - 4);
        }

        private boolean isAfterSpace(int at) {
            return at == 0 || isSpace(at - 1) || text.startsWith("&nbsp;", at - 6);
        }

        private boolean isSpace(int at) {
            return character(at)
                            .filter(one -> Character.isWhitespace(one) || one == '\u00a0')
                            .isPresent()
                    || text.startsWith("&nbsp;", at);
        }

        private boolean isDigit(int at) {
            return character(at).filter(one -> one >= '0' && one <= '9').isPresent();
        }

        private boolean isWordCharacter(int at) {
            return character(at).filter(Character::isLetterOrDigit).isPresent();
        }

        private Optional<Character> character(int at) {
            return at >= 0 && at < text.length() ? Optional.of(text.charAt(at)) : Optional.empty();
        }
    }
}

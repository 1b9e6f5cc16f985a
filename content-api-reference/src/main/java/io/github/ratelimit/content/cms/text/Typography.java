package io.github.ratelimit.content.cms.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;

/**
 * Marks as a typesetter sets them: quotation marks that open and close, dashes, an ellipsis, primes, a multiplication
 * sign; and ampersands as character references.
 *
 * <p>Each piece of text between two tags is looked at alone. Tags keep their marks, and so does what stands in elements
 * for code. A text is read from its beginning to its end, and for each quotation that opens once more as far as the next one:
 * the time it takes grows with its length only, and it is copied no further than into the result.
 */
final class Typography {
    private static final String[] CODE = {"pre", "code", "kbd", "style", "script", "tt"};

    private static final String ELLIPSIS = "&#8230;";
    private static final String EM_DASH = "&#8212;";
    private static final String EN_DASH = "&#8211;";
    private static final String OPENING_SINGLE = "&#8216;";
    private static final String CLOSING_SINGLE = "&#8217;";
    private static final String OPENING_DOUBLE = "&#8220;";
    private static final String CLOSING_DOUBLE = "&#8221;";
    private static final String PRIME = "&#8242;";
    private static final String DOUBLE_PRIME = "&#8243;";
    private static final String TIMES = "&#215;";

    /** How much longer than its mark a reference is. */
    private static final int GROWTH = CLOSING_SINGLE.length() - 1;

    /** Words that begin with an apostrophe, not with a quotation mark. */
    private static final String[] SHORTENED = {
        "tain't", "twere", "twas", "tis", "twill", "til", "bout", "nuff", "round", "cause", "em"
    };

    /** What the second mark of the one shortened word that has two stands behind. */
    private static final String TWICE_SHORTENED = "'tain't";

    private Typography() {}

    /**
     * Sets typographic marks in what is between the tags.
     *
     * @param html any text without placeholders
     * @return the same with marks set; what becomes longer than {@link Rendering#LONGEST} ends somewhere behind that
     */
    static String apply(String html) {
        StringBuilder set = new StringBuilder(roomFor(html));
        Deque<String> code = new ArrayDeque<>();
        int end;
        for (int at = 0; at < html.length() && set.length() <= Rendering.LONGEST; at = end) {
            end = Markup.pieceEnd(html, at);
            if (html.startsWith("<!--", at)) {
                set.append(html, at, end);
            } else if (html.charAt(at) == '<') {
                appendTag(set, html, at, end);
                enterOrLeave(html, at, code);
            } else if (code.isEmpty()) {
                appendMarksAroundShortcodes(set, html, at, end);
            } else {
                set.append(html, at, end);
            }
        }
        return set.toString();
    }

    /** A text of nothing but marks becomes seven times as long: a buffer that has to grow is copied again and again. */
    private static int roomFor(String html) {
        int marks = 0;
        for (int at = 0; at < html.length(); at++) {
            char one = html.charAt(at);
            marks += one == '"' || one == '\'' || one == '&' ? 1 : 0;
        }
        return Math.min(html.length() + html.length() / 16 + marks * GROWTH, Rendering.LONGEST + html.length() / 16);
    }

    private static void appendTag(StringBuilder set, String html, int begin, int end) {
        for (int at = begin; at < end; at++) {
            char one = html.charAt(at);
            if (one == '&' && referenceEnd(html, at) < 0) {
                set.append("&#038;");
            } else {
                set.append(one);
            }
        }
    }

    /** Only in small letters, as nearly all write them. Source: what clients of this interface know. */
    private static void enterOrLeave(String html, int tag, Deque<String> code) {
        boolean leaves = html.startsWith("</", tag);
        for (String name : CODE) {
            int end = tag + (leaves ? 2 : 1) + name.length();
            if (html.startsWith(name, end - name.length())
                    && (end == html.length() || !Character.isLetterOrDigit(html.charAt(end)))) {
                if (!leaves) {
                    code.push(name);
                } else if (name.equals(code.peek())) {
                    code.pop();
                }
            }
        }
    }

    /** What stands in a shortcode is no text; between two of them, each piece is looked at alone. */
    private static void appendMarksAroundShortcodes(StringBuilder set, String html, int begin, int end) {
        String text = html.substring(begin, end);
        int copied = 0;
        if (Shortcodes.mayHold(text)) {
            Matcher shortcode = Shortcodes.DELIMITER.matcher(text);
            while (shortcode.find()) {
                appendMarks(set, text.substring(copied, shortcode.start()));
                set.append(text, shortcode.start(), shortcode.end());
                copied = shortcode.end();
            }
        }
        appendMarks(set, text.substring(copied));
    }

    private static void appendMarks(StringBuilder set, String text) {
        String spelled = text.replace("...", ELLIPSIS)
                .replace("``", OPENING_DOUBLE)
                .replace("''", CLOSING_DOUBLE)
                .replace(" (tm)", " &#8482;");
        new Marks(spelled, set).append();
    }

    /**
     * Finds the end of a character reference.
     *
     * @param text any
     * @param ampersand where it would begin
     * @return the place of its semicolon; -1 if it is none
     */
    private static int referenceEnd(String text, int ampersand) {
        int begin = ampersand + 1;
        int at = begin;
        if (text.startsWith("#", begin)) {
            boolean isHex = text.startsWith("x", begin + 1) || text.startsWith("X", begin + 1);
            begin += isHex ? 2 : 1;
            at = begin;
            while (at < text.length() && isDigit(text.charAt(at), isHex)) {
                at++;
            }
        } else {
            while (at < text.length() && at < begin + 8 && isOfName(text.charAt(at))) {
                at++;
            }
        }
        return at > begin && text.startsWith(";", at) ? at : -1;
    }

    private static boolean isDigit(char one, boolean isHex) {
        return (one >= '0' && one <= '9') || (isHex && ((one >= 'a' && one <= 'f') || (one >= 'A' && one <= 'F')));
    }

    private static boolean isOfName(char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '1' && one <= '4');
    }

    /** What a quotation mark is by what stands around it. */
    private enum Role {
        OPENS,
        CLOSES,
        APOSTROPHE,
        /** Closes, or means minutes or inches: that depends on what is open. */
        LOOSE
    }

    /** The marks of one text. */
    private static final class Marks {
        private static final int NONE = -1;

        private final String text;
        private final StringBuilder set;
        /** The mark after a digit that closes what is open, as no other one does. */
        private int closesSingle = NONE;

        private int closesDouble = NONE;

        Marks(String text, StringBuilder set) {
            this.text = text;
            this.set = set;
        }

        void append() {
            int at = 0;
            while (at < text.length() && set.length() <= Rendering.LONGEST) {
                char one = text.charAt(at);
                switch (one) {
                    case '\'' -> set.append(single(at));
                    case '"' -> set.append(dbl(at));
                    case '&' -> set.append(isReference(at) ? "&" : "&#038;");
                    case 'x' -> set.append(isTimes(at) ? TIMES : "x");
                    case '-' -> at = appendDashes(at) - 1;
                    default -> set.append(one);
                }
                at++;
            }
        }

        private String single(int at) {
            Role role = roleOfSingle(at);
            if (role == Role.OPENS) {
                closesSingle = closesAfterDigit(at + 1, '\'', CLOSING_SINGLE);
                return OPENING_SINGLE;
            }
            if (role == Role.LOOSE && isDigit(at - 1) && at != closesSingle) {
                return PRIME;
            }
            return role != Role.LOOSE || endsQuotation(at + 1) ? CLOSING_SINGLE : "'";
        }

        private String dbl(int at) {
            Role role = roleOfDouble(at);
            if (role == Role.OPENS) {
                closesDouble = closesAfterDigit(at + 1, '"', CLOSING_DOUBLE);
                return OPENING_DOUBLE;
            }
            return role == Role.LOOSE && isDigit(at - 1) && at != closesDouble ? DOUBLE_PRIME : CLOSING_DOUBLE;
        }

        private Role roleOfSingle(int at) {
            if (isOfShortenedWord(at) || closesYear(at)) {
                return Role.CLOSES;
            }
            if (beginsYear(at)) {
                return Role.APOSTROPHE;
            }
            int opening = beforeNumber(at, '\'');
            if (opening != NONE && !beginsYear(opening)) {
                return Role.CLOSES;
            }
            if (isAfterOpening(at, "([{\"-")) {
                return Role.OPENS;
            }
            return isWithinWord(at + 1) ? Role.APOSTROPHE : Role.LOOSE;
        }

        private Role roleOfDouble(int at) {
            if (closesYear(at) || beforeNumber(at, '"') != NONE) {
                return Role.CLOSES;
            }
            return isAfterOpening(at, "([{-") && !isSpace(at + 1) ? Role.OPENS : Role.LOOSE;
        }

        /**
         * Finds the mark that closes a quotation though it stands after a digit: where all that could do, the last one before a full
         * stop, or the last.
         */
        private int closesAfterDigit(int from, char mark, String closing) {
            int last = NONE;
            int lastBeforeStop = NONE;
            for (int at = from; at < text.length(); at++) {
                char one = text.charAt(at);
                if (one == '&' && text.startsWith(closing, at)) {
                    return NONE;
                }
                if (one != mark) {
                    continue;
                }
                Role role = mark == '"' ? roleOfDouble(at) : roleOfSingle(at);
                if (role == Role.OPENS) {
                    break;
                }
                boolean mayClose = role == Role.LOOSE && endsQuotation(at + 1);
                if (role == Role.CLOSES || (mayClose && !isDigit(at - 1))) {
                    return NONE;
                }
                last = mayClose ? at : last;
                lastBeforeStop = mayClose && is(at + 1, '.') ? at : lastBeforeStop;
            }
            return lastBeforeStop == NONE ? last : lastBeforeStop;
        }

        private boolean isOfShortenedWord(int at) {
            if (text.startsWith(TWICE_SHORTENED, at + 2 - TWICE_SHORTENED.length())) {
                return true;
            }
            for (String word : SHORTENED) {
                if (text.startsWith(word, at + 1)) {
                    return true;
                }
            }
            return false;
        }

        /** As in {@code '99}, where no more digits follow, no part of a number and no percentage. */
        private boolean beginsYear(int at) {
            return isDigit(at + 1)
                    && isDigit(at + 2)
                    && !isDigit(at + 3)
                    && !is(at + 3, '%')
                    && !((is(at + 3, '.') || is(at + 3, ',')) && isDigit(at + 4));
        }

        private boolean closesYear(int at) {
            return isDigit(at - 1) && isDigit(at - 2) && is(at - 3, '\'') && endsQuotation(at + 1);
        }

        /** Finds the mark that opens before a number that ends here. */
        private int beforeNumber(int end, char mark) {
            int begin = end;
            while (begin > 0 && isNumeric(text.charAt(begin - 1))) {
                begin--;
            }
            boolean isQuoted = begin < end && isDigit(begin) && is(begin - 1, mark) && isAfterSpace(begin - 1);
            return isQuoted ? begin - 1 : NONE;
        }

        private boolean isAfterOpening(int at, String brackets) {
            return isAfterSpace(at) || brackets.indexOf(text.charAt(at - 1)) >= 0 || text.startsWith("&lt;", at - 4);
        }

        private boolean isAfterSpace(int at) {
            return at == 0 || isBlank(text.charAt(at - 1)) || text.startsWith("&nbsp;", at - 6);
        }

        private boolean isSpace(int at) {
            return at < text.length() && (isBlank(text.charAt(at)) || text.startsWith("&nbsp;", at));
        }

        private boolean isSpaceOrEnd(int at) {
            return at == text.length() || isSpace(at) || (at == text.length() - 1 && isLineEnd(text.charAt(at)));
        }

        private boolean endsQuotation(int at) {
            return isSpaceOrEnd(at) || ".,:;!?)}-]".indexOf(text.charAt(at)) >= 0 || text.startsWith("&gt;", at);
        }

        private boolean isWithinWord(int at) {
            return !endsQuotation(at) && "\"'({[".indexOf(text.charAt(at)) < 0 && !text.startsWith("&lt;", at);
        }

        /** Three hyphens are a long dash, two are a shorter one, and longer between spaces; one is a dash only there. */
        private int appendDashes(int begin) {
            int end = begin;
            while (is(end, '-')) {
                end++;
            }
            int hyphens = end - begin;
            for (int dashes = hyphens / 3; dashes > 0 && set.length() <= Rendering.LONGEST; dashes--) {
                set.append(EM_DASH);
            }
            boolean isBetweenSpaces = hyphens < 3 && isAfterSpace(begin) && isSpaceOrEnd(end);
            if (hyphens % 3 == 2) {
                // Two hyphens after "xn" belong to the name of an internationalised domain.
                boolean isDomain = hyphens == 2 && text.startsWith("xn", begin - 2);
                set.append(isBetweenSpaces ? EM_DASH : isDomain ? "--" : EN_DASH);
            } else if (hyphens % 3 == 1) {
                set.append(isBetweenSpaces ? EN_DASH : "-");
            }
            return end;
        }

        private boolean isReference(int at) {
            int end = referenceEnd(text, at);
            for (int within = at + 1; within < end; within++) {
                // What has become a sign is no letter of a name any more.
                if (text.charAt(within) == 'x' && isTimes(within)) {
                    return false;
                }
            }
            return end >= 0;
        }

        /** Says whether an x stands between two numbers: 9x5, but neither 0x9 nor 9x5cm. */
        private boolean isTimes(int x) {
            return endsNumber(x) && beginsNumber(x + 1);
        }

        private boolean endsNumber(int end) {
            int begin = end;
            boolean number = false;
            // The run of digits and separators before the sign ends at the sign before it: nothing is read twice.
            while (begin > 0 && isNumeric(text.charAt(begin - 1)) && !number) {
                begin--;
                number = isDigit(begin)
                        && (begin == 0 || !isWordCharacter(text.charAt(begin - 1)))
                        && (text.charAt(begin) != '0' || begin + 1 < end);
            }
            return number;
        }

        private boolean beginsNumber(int begin) {
            int end = begin;
            while (isDigit(end)) {
                end++;
            }
            return end > begin && (end == text.length() || !isWordCharacter(text.charAt(end)));
        }

        private boolean is(int at, char one) {
            return at >= 0 && at < text.length() && text.charAt(at) == one;
        }

        private boolean isDigit(int at) {
            return at >= 0 && at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
        }

        private static boolean isNumeric(char one) {
            return (one >= '0' && one <= '9') || one == '.' || one == ',';
        }

        private static boolean isBlank(char one) {
            return one == ' ' || one == '\n' || one == '\r' || one == '\t' || one == '\u00a0';
        }

        /** Those that are no blanks: they end a text that ends with them. */
        private static boolean isLineEnd(char one) {
            return one == '\u0085' || one == '\u2028' || one == '\u2029';
        }

        private static boolean isWordCharacter(char one) {
            return one == '_' || (one < 0x80 && Character.isLetterOrDigit(one));
        }
    }
}

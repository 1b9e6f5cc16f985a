package io.github.ratelimit.content.cms.text;

import static io.github.ratelimit.content.cms.text.Placeholders.APOSTROPHE;
import static io.github.ratelimit.content.cms.text.Placeholders.CLOSE_OR_PRIME;
import static io.github.ratelimit.content.cms.text.Placeholders.OPEN_DOUBLE;
import static io.github.ratelimit.content.cms.text.Placeholders.OPEN_SINGLE;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Marks as a typesetter sets them: quotation marks that open and close, dashes, an ellipsis, primes, a multiplication
 * sign; and ampersands as character references.
 *
 * <p>Each piece of text between two tags is looked at alone. Tags keep their marks, and so does what stands in elements
 * for code. No pattern here looks further back than a few characters or reads a character twice, so the time a text takes
 * grows with its length only.
 */
final class Typography {
    private static final Set<String> CODE = Set.of("pre", "code", "kbd", "style", "script", "tt");

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

    private static final String SPACE = "[\\r\\n\\t \\u00a0]|&nbsp;";
    private static final String END_OF_QUOTATION = "(?=\\Z|[.,:;!?)}\\-\\]]|&gt;|" + SPACE + ")";
    private static final String BLANK = "\\r\\n\\t \\u00a0";
    // Each alternative has one length: what is behind is read once, and not from every place that it could begin at.
    private static final String START_OR_SPACE = "(?:\\A|(?<=[" + BLANK + "])|(?<=&nbsp;))";

    // What is behind is looked at only where a mark is: most letters are none.
    private static final String AT_SINGLE = "(?=')";
    private static final String AT_DOUBLE = "(?=\")";
    private static final String AT_HYPHEN = "(?=-)";

    /** Words that begin with an apostrophe, not with a quotation mark. */
    private static final List<String> SHORTENED = List.of(
            "'tain't", "'twere", "'twas", "'tis", "'twill", "'til", "'bout", "'nuff", "'round", "'cause", "'em");

    private static final Pattern QUOTED_YEAR = Pattern.compile("'(\\d\\d)'" + END_OF_QUOTATION);
    private static final Pattern YEAR_BEFORE_QUOTE = Pattern.compile("'(\\d\\d)\"" + END_OF_QUOTATION);
    private static final Pattern YEAR = Pattern.compile("'(?=\\d\\d(?:\\Z|(?![%\\d]|[.,]\\d)))");
    private static final Pattern SINGLE_QUOTED_NUMBER =
            Pattern.compile("(?='\\d)" + START_OR_SPACE + "'(\\d[.,\\d]*+)'");
    private static final Pattern SINGLE_OPENS =
            Pattern.compile(AT_SINGLE + "(?:\\A|(?<=[(\\[{\"\\-" + BLANK + "])|(?<=&lt;)|(?<=&nbsp;))'");
    private static final Pattern INSIDE_A_WORD = Pattern.compile(
            AT_SINGLE + "(?<![" + BLANK + "])(?<!&nbsp;)'(?!\\Z|[.,:;!?\"'(){}\\[\\]\\-]|&[lg]t;|" + SPACE + ")");
    private static final Pattern DOUBLE_QUOTED_NUMBER =
            Pattern.compile("(?=\"\\d)" + START_OR_SPACE + "\"(\\d[.,\\d]*+)\"");
    private static final Pattern DOUBLE_OPENS = Pattern.compile(
            AT_DOUBLE + "(?:\\A|(?<=[(\\[{\\-" + BLANK + "])|(?<=&lt;)|(?<=&nbsp;))\"(?!" + SPACE + ")");
    private static final Pattern DASH_BETWEEN_SPACES =
            Pattern.compile(AT_HYPHEN + START_OR_SPACE + "--(?=\\Z|" + SPACE + ")");
    private static final Pattern HYPHEN_BETWEEN_SPACES =
            Pattern.compile(AT_HYPHEN + START_OR_SPACE + "-(?=\\Z|" + SPACE + ")");
    // Two hyphens after "xn" belong to the name of an internationalised domain.
    private static final Pattern TWO_HYPHENS = Pattern.compile(AT_HYPHEN + "(?<!xn)--");
    private static final Pattern BARE_AMPERSAND =
            Pattern.compile("&(?!#(?:\\d++|x[a-f0-9]++);|[a-z1-4]{1,8}+;)", Pattern.CASE_INSENSITIVE);

    private static final Quote SINGLE = new Quote("'", OPEN_SINGLE, CLOSING_SINGLE, PRIME);
    private static final Quote DOUBLE = new Quote("\"", OPEN_DOUBLE, CLOSING_DOUBLE, DOUBLE_PRIME);

    private Typography() {}

    /**
     * Sets typographic marks in what is between the tags.
     *
     * @param html any text without placeholders
     * @return the same with marks set
     */
    static String apply(String html) {
        StringBuilder set = new StringBuilder(html.length() + html.length() / 16);
        Deque<String> code = new ArrayDeque<>();
        for (String token : Markup.tokens(html)) {
            if (token.startsWith("<!--")) {
                set.append(token);
            } else if (Markup.isTag(token)) {
                set.append(ampersands(token));
                enterOrLeave(token, code);
            } else {
                set.append(code.isEmpty() ? marksAroundShortcodes(token) : token);
            }
        }
        return set.toString();
    }

    private static void enterOrLeave(String tag, Deque<String> code) {
        String name = name(tag);
        if (!CODE.contains(name)) {
            return;
        }
        if (tag.charAt(1) != '/') {
            code.push(name);
        } else if (name.equals(code.peek())) {
            code.pop();
        }
    }

    /** Only in small letters, as nearly all write them. Source: what clients of this interface know. */
    private static String name(String tag) {
        String lower = Markup.name(tag);
        return tag.startsWith(lower, tag.startsWith("</") ? 2 : 1) ? lower : "";
    }

    /** What stands in a shortcode is no text; between two of them, each piece is looked at alone. */
    private static String marksAroundShortcodes(String text) {
        if (!Shortcodes.mayHold(text)) {
            return marks(text);
        }
        StringBuilder set = new StringBuilder(text.length() + 16);
        Matcher shortcode = Shortcodes.DELIMITER.matcher(text);
        int copied = 0;
        while (shortcode.find()) {
            set.append(marks(text.substring(copied, shortcode.start()))).append(shortcode.group());
            copied = shortcode.end();
        }
        return set.append(marks(text.substring(copied))).toString();
    }

    private static String marks(String text) {
        if (text.isBlank()) {
            return text;
        }
        String set = text.replace("...", ELLIPSIS)
                .replace("``", OPENING_DOUBLE)
                .replace("''", CLOSING_DOUBLE)
                .replace(" (tm)", " &#8482;");
        if (set.indexOf('\'') >= 0) {
            set = singles(set);
        }
        if (set.indexOf('"') >= 0) {
            set = doubles(set);
        }
        if (set.indexOf('-') >= 0) {
            set = dashes(set);
        }
        return ampersands(times(set));
    }

    private static String singles(String text) {
        String set = text;
        for (String word : SHORTENED) {
            set = set.replace(word, word.replace("'", CLOSING_SINGLE));
        }
        set = QUOTED_YEAR.matcher(set).replaceAll(APOSTROPHE + "$1" + CLOSING_SINGLE);
        set = YEAR_BEFORE_QUOTE.matcher(set).replaceAll(APOSTROPHE + "$1" + CLOSING_DOUBLE);
        set = YEAR.matcher(set).replaceAll(String.valueOf(APOSTROPHE));
        set = SINGLE_QUOTED_NUMBER.matcher(set).replaceAll(OPEN_SINGLE + "$1" + CLOSING_SINGLE);
        set = SINGLE_OPENS.matcher(set).replaceAll(String.valueOf(OPEN_SINGLE));
        set = INSIDE_A_WORD.matcher(set).replaceAll(String.valueOf(APOSTROPHE));
        return SINGLE.close(set)
                .replace(String.valueOf(APOSTROPHE), CLOSING_SINGLE)
                .replace(String.valueOf(OPEN_SINGLE), OPENING_SINGLE);
    }

    private static String doubles(String text) {
        String set = DOUBLE_QUOTED_NUMBER.matcher(text).replaceAll(OPEN_DOUBLE + "$1" + CLOSING_DOUBLE);
        set = DOUBLE_OPENS.matcher(set).replaceAll(String.valueOf(OPEN_DOUBLE));
        return DOUBLE.close(set).replace("\"", CLOSING_DOUBLE).replace(String.valueOf(OPEN_DOUBLE), OPENING_DOUBLE);
    }

    private static String dashes(String text) {
        String set = text.replace("---", EM_DASH);
        set = DASH_BETWEEN_SPACES.matcher(set).replaceAll(EM_DASH);
        set = TWO_HYPHENS.matcher(set).replaceAll(EN_DASH);
        return HYPHEN_BETWEEN_SPACES.matcher(set).replaceAll(EN_DASH);
    }

    private static String ampersands(String text) {
        return text.indexOf('&') < 0 ? text : BARE_AMPERSAND.matcher(text).replaceAll("&#038;");
    }

    /** Sets a multiplication sign between two numbers: 9x5, but neither 0x9 nor 9x5cm. */
    private static String times(String text) {
        int x = text.indexOf('x');
        if (x < 0) {
            return text;
        }
        StringBuilder set = new StringBuilder(text.length());
        int copied = 0;
        for (; x >= 0; x = text.indexOf('x', x + 1)) {
            if (endsNumber(text, x) && beginsNumber(text, x + 1)) {
                set.append(text, copied, x).append(TIMES);
                copied = x + 1;
            }
        }
        return set.append(text, copied, text.length()).toString();
    }

    private static boolean endsNumber(String text, int end) {
        int begin = end;
        boolean number = false;
        // The run of digits and separators before the sign ends at the sign before it: nothing is read twice.
        while (begin > 0 && isNumeric(text.charAt(begin - 1)) && !number) {
            begin--;
            number = isDigit(text, begin)
                    && (begin == 0 || !isWordCharacter(text.charAt(begin - 1)))
                    && (text.charAt(begin) != '0' || begin + 1 < end);
        }
        return number;
    }

    private static boolean beginsNumber(String text, int begin) {
        if (!isDigit(text, begin)) {
            return false;
        }
        int end = begin;
        while (end < text.length() && isDigit(text, end)) {
            end++;
        }
        return end == text.length() || !isWordCharacter(text.charAt(end));
    }

    private static boolean isNumeric(char one) {
        return (one >= '0' && one <= '9') || one == '.' || one == ',';
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static boolean isWordCharacter(char one) {
        return one == '_' || (one < 0x80 && Character.isLetterOrDigit(one));
    }

    private static final Pattern NOT_AFTER_DIGIT = Pattern.compile("(?<!\\d)" + CLOSE_OR_PRIME);
    private static final Pattern AFTER_DIGIT = Pattern.compile("(?<=\\d)" + CLOSE_OR_PRIME);

    /** A kind of quotation mark, and what tells a mark that closes from one that means minutes or inches. */
    private static final class Quote {
        private final String mark;
        private final char opening;
        private final String closing;
        private final String prime;
        private final Pattern closes;
        private final Pattern afterDigit;

        Quote(String mark, char opening, String closing, String prime) {
            this.mark = mark;
            this.opening = opening;
            this.closing = closing;
            this.prime = prime;
            closes = Pattern.compile(mark + END_OF_QUOTATION);
            afterDigit = Pattern.compile("(?=" + mark + ")(?<=\\d)" + mark);
        }

        /** Sets the marks that are left once those that open are known. */
        String close(String text) {
            String[] pieces = text.split(String.valueOf(opening), -1);
            for (int piece = 0; piece < pieces.length; piece++) {
                String one = pieces[piece];
                if (one.contains(mark)) {
                    boolean open = piece > 0 && !one.contains(closing);
                    pieces[piece] = open ? closeQuotation(one) : closeAnywhere(one);
                }
            }
            return String.join(String.valueOf(opening), pieces);
        }

        /** Nothing is open: a mark after a digit is a prime, whatever follows it. */
        private String closeAnywhere(String text) {
            return closes.matcher(primes(text)).replaceAll(closing);
        }

        /** A quotation is open: one of the marks closes it, the others after digits are primes. */
        private String closeQuotation(String text) {
            String flag = String.valueOf(CLOSE_OR_PRIME);
            Matcher candidates = closes.matcher(text);
            String flagged = candidates.replaceAll(flag);
            long count = flagged.chars().filter(one -> one == CLOSE_OR_PRIME).count();
            if (count == 0) {
                return primes(flagged);
            }
            if (count == 1) {
                return primes(flagged.replace(flag, closing));
            }
            String closed = NOT_AFTER_DIGIT.matcher(flagged).replaceAll(closing);
            if (closed.equals(flagged)) {
                int before = flagged.lastIndexOf(flag + ".");
                int at = before >= 0 ? before : flagged.lastIndexOf(CLOSE_OR_PRIME);
                closed = flagged.substring(0, at) + closing + flagged.substring(at + 1);
            }
            return primes(AFTER_DIGIT.matcher(closed).replaceAll(prime).replace(flag, closing));
        }

        private String primes(String text) {
            return afterDigit.matcher(text).replaceAll(prime);
        }
    }
}

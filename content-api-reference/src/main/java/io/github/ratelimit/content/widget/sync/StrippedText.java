package io.github.ratelimit.content.widget.sync;

import java.util.Locale;
import java.util.Set;
import org.jsoup.parser.Parser;

/**
 * Takes the markup out of a text, in time that grows with its length whatever it holds.
 *
 * <p>Nothing is looked for twice: a mark that does not come any more is remembered. What is no markup stays as it is. The
 * result is for readers and indexes; it is not safe as HTML.
 */
final class StrippedText {

    /** Elements that part paragraphs. */
    private static final Set<String> BLOCKS = Set.of("""
            address article aside blockquote br caption center dd details dialog dir div dl dt fieldset figcaption figure
            footer form h1 h2 h3 h4 h5 h6 head header hr html li main menu nav ol option p pre section select summary
            table tbody td tfoot th thead title tr ul""".split("\\s", -1));

    /** Elements whose insides nobody reads. */
    private static final Set<String> UNREAD = Set.of("script", "style");

    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";
    private static final int LONGEST_NAME = 10;

    private final String html;
    private final int lastClose;
    private final int lastSingle;
    private final int lastDouble;
    private final StringBuilder text;

    private StrippedText(String html) {
        this.html = html;
        lastClose = html.lastIndexOf('>');
        lastSingle = html.lastIndexOf('\'');
        lastDouble = html.lastIndexOf('"');
        text = new StringBuilder(html.length());
    }

    /**
     * Strips a text.
     *
     * @param html plain text or HTML
     * @return plain text, a line break in the place of each block
     */
    static String of(String html) {
        String text = html.indexOf('<') < 0 ? html : new StrippedText(html).strip();
        return text.indexOf('&') < 0 ? text : Parser.unescapeEntities(text, false);
    }

    private String strip() {
        int at = 0;
        int open = html.indexOf('<');
        // Behind the last closing bracket nothing is a tag.
        while (open >= 0 && open < lastClose) {
            text.append(html, at, open);
            at = skip(open);
            open = html.indexOf('<', at);
        }
        return text.append(html, at, html.length()).toString();
    }

    /** Returns where the text goes on behind a bracket. */
    private int skip(int open) {
        char next = html.charAt(open + 1);
        if (html.startsWith(COMMENT, open)) {
            int end = html.indexOf(COMMENT_END, open + COMMENT.length());
            return end < 0 ? html.length() : end + COMMENT_END.length();
        }
        if (next == '!' || next == '?') {
            return html.indexOf('>', open) + 1;
        }
        int begin = next == '/' ? open + 2 : open + 1;
        if (!isLetter(html.charAt(begin))) {
            text.append('<');
            return open + 1;
        }
        String name = name(begin);
        int end = tagEnd(begin);
        if (BLOCKS.contains(name)) {
            text.append('\n');
        }
        return next != '/' && UNREAD.contains(name) ? endOfElement(name, end) : end;
    }

    private String name(int begin) {
        int end = begin;
        while (end < html.length() && end - begin <= LONGEST_NAME && isNamePart(html.charAt(end))) {
            end++;
        }
        return html.substring(begin, end).toLowerCase(Locale.ROOT);
    }

    /** A quoted bracket does not end a tag; a quote that nothing closes is no quote. */
    private int tagEnd(int begin) {
        int at = begin;
        while (at < html.length()) {
            char one = html.charAt(at++);
            if (one == '>') {
                return at;
            }
            if ((one == '"' && at <= lastDouble) || (one == '\'' && at <= lastSingle)) {
                int close = html.indexOf(one, at) + 1;
                at = close <= lastClose ? close : at;
            }
        }
        return at;
    }

    private int endOfElement(String name, int from) {
        int close = html.indexOf("</", from);
        while (close >= 0 && !html.regionMatches(true, close + 2, name, 0, name.length())) {
            close = html.indexOf("</", close + 2);
        }
        return close < 0 ? html.length() : close;
    }

    private static boolean isLetter(char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
    }

    private static boolean isNamePart(char one) {
        return isLetter(one) || (one >= '0' && one <= '9');
    }
}

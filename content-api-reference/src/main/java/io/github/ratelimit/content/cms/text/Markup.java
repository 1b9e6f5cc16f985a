package io.github.ratelimit.content.cms.text;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * HTML as a run of tags, texts and character references, told apart without building a tree.
 *
 * <p>Made for measuring and shortening what was written. Nothing here makes HTML safe; that is {@link HtmlPolicy}.
 */
public final class Markup {
    private static final Pattern CONTROL = Pattern.compile("&#1[2-5][0-9];");
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    private Markup() {}

    /**
     * Leaves out tags and comments.
     *
     * @param html any text; a {@code <} before a space begins no tag, and stays
     * @return what is between the tags, character references as they stand
     */
    static String withoutTags(String html) {
        if (html.indexOf('<') < 0) {
            return html;
        }
        StringBuilder text = new StringBuilder(html.length());
        int at = 0;
        while (at < html.length()) {
            int open = html.indexOf('<', at);
            if (open < 0) {
                return text.append(html, at, html.length()).toString();
            }
            text.append(html, at, open);
            boolean isText = isBeforeSpace(html, open);
            text.append(isText ? "<" : "");
            at = isText ? open + 1 : outermostEnd(html, open);
        }
        return text.toString();
    }

    private static boolean isBeforeSpace(String html, int bracket) {
        return bracket + 1 < html.length() && isSpace(html.charAt(bracket + 1));
    }

    /** Finds the place after a tag and after those that begin within it; quoted brackets are none. */
    private static int outermostEnd(String html, int open) {
        if (html.startsWith("<!--", open)) {
            int close = html.indexOf("-->", open + 2);
            return close < 0 ? html.length() : close + 3;
        }
        if (html.startsWith("<?", open)) {
            int close = html.indexOf("?>", open);
            return close < 0 ? html.length() : close + 2;
        }
        boolean isNested = !html.startsWith("<!", open);
        char quote = 0;
        int depth = 0;
        for (int at = open; at < html.length(); at++) {
            char one = html.charAt(at);
            if (quote != 0) {
                quote = one == quote ? 0 : quote;
            } else if (one == '<' && (at == open || isNested) && !isBeforeSpace(html, at)) {
                depth++;
            } else if (one == '>' && --depth == 0) {
                return at + 1;
            } else if (one == '"' || one == '\'') {
                quote = one;
            }
        }
        return html.length();
    }

    /**
     * Leaves out tags, comments, and what no reader sees: the insides of scripts and styles.
     *
     * @param html any text
     * @return the text that a reader sees, character references as they stand
     */
    static String visibleText(String html) {
        return withoutTags(withoutElement(withoutElement(html, "script"), "style"));
    }

    private static String withoutElement(String html, String name) {
        String lower = Letters.lower(html);
        // Some letters change their length with their case, and then the places would not match.
        String searched = lower.length() == html.length() ? lower : html;
        StringBuilder rest = new StringBuilder(html.length());
        int copied = 0;
        int open = searched.indexOf("<" + name);
        while (open >= 0) {
            int close = searched.indexOf("</" + name, open);
            if (close < 0) {
                break;
            }
            rest.append(html, copied, open);
            copied = pieceEnd(html, close);
            open = searched.indexOf("<" + name, copied);
        }
        return rest.append(html, copied, html.length()).toString();
    }

    /**
     * Parts a text into tags, comments, and what is between them. Any bracket begins a tag, and one that nothing closes is all that
     * follows. A text of a megabyte has hundreds of thousands of such pieces, so they are places, not copies.
     *
     * @param html any text
     * @param begin of the text, or the end of the piece before
     * @return where the piece ends; no piece is empty
     */
    static int pieceEnd(String html, int begin) {
        if (html.charAt(begin) == '<') {
            String end = html.startsWith("<!--", begin) ? "-->" : ">";
            int close = html.indexOf(end, begin + (end.length() == 1 ? 1 : 2));
            return close < 0 ? html.length() : close + end.length();
        }
        int open = html.indexOf('<', begin);
        return open < 0 ? html.length() : open;
    }

    /**
     * Names an element.
     *
     * @param tag an opening or closing tag
     * @return the name in lower case
     */
    static String name(String tag) {
        int begin = tag.startsWith("</") ? 2 : 1;
        int end = begin;
        while (end < tag.length() && Character.isLetterOrDigit(tag.charAt(end))) {
            end++;
        }
        return Letters.lower(tag.substring(begin, end));
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    /**
     * Replaces references to control characters, which old programs wrote for characters of Windows.
     *
     * @param html any text
     * @return with references to the characters of Windows; those without such a character are removed
     */
    public static String repaired(String html) {
        return html.contains("&#1") ? CONTROL.matcher(html).replaceAll(Markup::repaired) : html;
    }

    private static String repaired(MatchResult found) {
        int number = Integer.parseInt(found.group().substring(2, 5));
        if (number < 0x80) {
            return found.group();
        }
        int meant = WINDOWS.decode(ByteBuffer.wrap(new byte[] {(byte) number})).get(0);
        return meant == 0xfffd || meant < 0x100 ? "" : "&#" + meant + ";";
    }

    /**
     * Spells a text as the value of an attribute.
     *
     * @param text any text
     * @return without brackets and quotation marks
     */
    public static String encoded(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&apos;")
                .replace("\"", "&quot;");
    }
}

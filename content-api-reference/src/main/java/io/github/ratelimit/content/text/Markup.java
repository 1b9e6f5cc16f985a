package io.github.ratelimit.content.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.owasp.html.Encoding;

/**
 * HTML as a run of tags and texts, told apart without building a tree.
 *
 * <p>Made for measuring and shortening what was written. Nothing here makes HTML safe; that is {@link HtmlPolicy}.
 */
final class Markup {
    private Markup() {}

    /**
     * Leaves out tags and comments.
     *
     * @param html any text; a {@code <} that begins neither tag nor comment stays
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
            if (!beginsTag(html, open)) {
                text.append('<');
                at = open + 1;
                continue;
            }
            at = end(html, open);
        }
        return text.toString();
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
        String lower = html.toLowerCase(Locale.ROOT);
        // Some letters change their number of characters with their case; the places would not match.
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
            copied = end(html, close);
            open = searched.indexOf("<" + name, copied);
        }
        return rest.append(html, copied, html.length()).toString();
    }

    /** Finds the place after a tag or comment that begins at {@code open}; a quoted {@code >} does not end a tag. */
    static int end(String html, int open) {
        if (html.startsWith("<!--", open)) {
            int close = html.indexOf("-->", open + 4);
            return close < 0 ? html.length() : close + 3;
        }
        char quote = 0;
        for (int at = open + 1; at < html.length(); at++) {
            char one = html.charAt(at);
            if (quote != 0) {
                quote = one == quote ? 0 : quote;
            } else if (one == '>') {
                return at + 1;
            } else if (one == '"' || one == '\'') {
                quote = one;
            }
        }
        return html.length();
    }

    /**
     * Parts a text into tags, comments, and what is between them.
     *
     * @param html any text
     * @return every character of it, in order; no piece is empty
     */
    static List<String> tokens(String html) {
        List<String> tokens = new ArrayList<>();
        int begin = 0;
        int open = html.indexOf('<');
        while (open >= 0) {
            if (!beginsTag(html, open)) {
                open = html.indexOf('<', open + 1);
                continue;
            }
            if (open > begin) {
                tokens.add(html.substring(begin, open));
            }
            begin = tokenEnd(html, open);
            tokens.add(html.substring(open, begin));
            open = html.indexOf('<', begin);
        }
        if (begin < html.length()) {
            tokens.add(html.substring(begin));
        }
        return tokens;
    }

    /**
     * Tells a tag or comment from text.
     *
     * @param token a piece of {@link #tokens}
     * @return whether it begins like a tag
     */
    static boolean isTag(String token) {
        return token.charAt(0) == '<' && beginsTag(token, 0);
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
        return tag.substring(begin, end).toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the attributes of an element.
     *
     * @param tag an opening tag
     * @return names in lower case and values without character references, by turns; can be changed
     */
    static List<String> attributes(String tag) {
        List<String> attributes = new ArrayList<>();
        int end = tag.endsWith("/>") ? tag.length() - 2 : tag.length() - 1;
        int at = 1 + name(tag).length();
        while (true) {
            at = skip(tag, at, end, one -> isSpace(one) || one == '/' || one == '"' || one == '\'');
            if (at >= end) {
                return attributes;
            }
            // The first character belongs to the name even if it is an equals sign.
            int nameEnd = skip(tag, at + 1, end, one -> !isSpace(one) && one != '=' && one != '/');
            attributes.add(tag.substring(at, nameEnd).toLowerCase(Locale.ROOT));
            at = skip(tag, nameEnd, end, Markup::isSpace);
            if (at >= end || tag.charAt(at) != '=') {
                attributes.add("");
                continue;
            }
            at = skip(tag, at + 1, end, Markup::isSpace);
            char quote = at < end ? tag.charAt(at) : 0;
            boolean quoted = quote == '"' || quote == '\'';
            int begin = quoted ? at + 1 : at;
            int valueEnd = skip(tag, begin, end, quoted ? one -> one != quote : one -> !isSpace(one));
            attributes.add(Encoding.decodeHtml(tag.substring(begin, valueEnd), true));
            at = quoted ? Math.min(valueEnd + 1, end) : valueEnd;
        }
    }

    private static int skip(String tag, int from, int end, IntPredicate skipped) {
        int at = from;
        while (at < end && skipped.test(tag.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(int one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    private static int tokenEnd(String html, int open) {
        String end = html.startsWith("<!--", open) ? "-->" : ">";
        int close = html.indexOf(end, open + (end.length() == 1 ? 1 : 4));
        return close < 0 ? html.length() : close + end.length();
    }

    private static boolean beginsTag(String html, int open) {
        if (open + 1 >= html.length()) {
            return false;
        }
        char next = html.charAt(open + 1);
        return next == '/' || next == '!' || next == '?' || isLetter(next);
    }

    private static boolean isLetter(char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
    }
}

package io.github.ratelimit.content.text;

import java.util.Locale;

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

    private static boolean beginsTag(String html, int open) {
        if (open + 1 >= html.length()) {
            return false;
        }
        char next = html.charAt(open + 1);
        return next == '/' || next == '!' || next == '?' || Character.isLetter(next);
    }
}

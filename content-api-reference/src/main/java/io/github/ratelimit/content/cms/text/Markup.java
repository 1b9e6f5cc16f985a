package io.github.ratelimit.content.cms.text;

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
        return withoutTags(withoutScripts(html));
    }

    /** Leaves out scripts and styles with their insides. */
    static String withoutScripts(String html) {
        return withoutElement(withoutElement(html, "script"), "style");
    }

    private static String withoutElement(String html, String name) {
        String lower = LetterCase.lower(html);
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
    static int end(CharSequence html, int open) {
        return end(html, open, html.length());
    }

    /** Does the same, and looks no further than {@code last}. */
    static int end(CharSequence html, int open, int last) {
        if (isComment(html, open)) {
            int at = open + 4;
            while (at + 2 < last
                    && !(html.charAt(at) == '-' && html.charAt(at + 1) == '-' && html.charAt(at + 2) == '>')) {
                at++;
            }
            return Math.min(at + 3, last);
        }
        char quote = 0;
        for (int at = open + 1; at < last; at++) {
            char one = html.charAt(at);
            if (quote != 0) {
                quote = one == quote ? 0 : quote;
            } else if (one == '>') {
                return at + 1;
            } else if (one == '"' || one == '\'') {
                quote = one;
            }
        }
        return last;
    }

    private static boolean isComment(CharSequence html, int open) {
        return html.length() >= open + 4
                && html.charAt(open) == '<'
                && html.charAt(open + 1) == '!'
                && html.charAt(open + 2) == '-'
                && html.charAt(open + 3) == '-';
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
            return tokenEnd(html, begin);
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
        return LetterCase.lower(tag.substring(begin, end));
    }

    private static int tokenEnd(String html, int open) {
        String end = html.startsWith("<!--", open) ? "-->" : ">";
        int close = html.indexOf(end, open + (end.length() == 1 ? 1 : 2));
        return close < 0 ? html.length() : close + end.length();
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }
}

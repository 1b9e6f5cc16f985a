package io.github.ratelimit.content.cms.text;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * HTML of callers who may not write whatever they like: scripts, event attributes, frames and addresses that run code go
 * away, their texts stay.
 *
 * <p>Nothing passes as it came: the result is put together from text without brackets, from tags that {@link AllowedTags}
 * lists, each with the attributes that it lists, and from comments. A tag ends at its first closing bracket, whatever
 * quotes say, so no bracket is ever inside a tag or a text, and it does not matter how a browser reads what is around it.
 * Space stays as it was typed.
 */
public final class HtmlPolicy {
    private static final Pattern TAG = Pattern.compile("<\\s*+(/\\s*+)?([a-zA-Z0-9-]++)([^>]*+)>");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]");
    private static final String LINE_ENDS = "\u0085\u2028\u2029";

    private static final Pattern BLOCK_COMMENT = Pattern.compile(
            "<!-- /?wp:[a-z][a-z0-9_-]*+(?:/[a-z][a-z0-9_-]*+)?+ (?:\\{[^<>]*\\} )?+/?-->|<!--(?:more|nextpage)-->");
    private static final Pattern DASHES = Pattern.compile("--+");

    /** Chosen: nobody writes so many; those behind them go away. */
    static final int MOST_ATTRIBUTES = 100;

    private HtmlPolicy() {}

    /**
     * Leaves of a content, an excerpt, a caption or a description what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return the allowed part, comments included
     */
    public static String cleanContent(String html) {
        return clean(html, AllowedTags.CONTENT);
    }

    /**
     * Leaves of a title what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return text and a few tags that a title may hold
     */
    public static String cleanTitle(String html) {
        return clean(html, AllowedTags.TITLE);
    }

    private static String clean(String html, AllowedTags allowed) {
        String plain = CONTROL.matcher(Placeholders.removeFrom(html)).replaceAll("");
        if (plain.indexOf('<') < 0 && plain.indexOf('>') < 0 && plain.indexOf('&') < 0) {
            return plain;
        }
        String closed = withoutLooseBrackets(References.normalized(plain));
        return cleanMarkup(BlockMarkup.filtered(closed, value -> cleanValue(value, allowed)), allowed);
    }

    /** What a block's comment says may become part of a page. */
    private static String cleanValue(String value, AllowedTags allowed) {
        return cleanMarkup(withoutLooseBrackets(References.normalized(value)), allowed);
    }

    private static String cleanMarkup(String html, AllowedTags allowed) {
        if (html.indexOf('<') < 0 && html.indexOf('>') < 0) {
            return html;
        }
        StringBuilder clean = new StringBuilder(html.length());
        write(html, allowed, clean, true);
        return clean.toString();
    }

    /** A bracket that nothing closes before the next one opens is text, and so is all up to there. */
    private static String withoutLooseBrackets(String html) {
        if (html.indexOf('<') < 0) {
            return html;
        }
        StringBuilder closed = new StringBuilder(html.length());
        Finder closing = new Finder(html, ">");
        int at = 0;
        int open = html.indexOf('<');
        while (open >= 0) {
            closed.append(html, at, open);
            int close = closing.from(open);
            int next = html.indexOf('<', open + 1);
            boolean isLoose = close < 0 || (next >= 0 && next < close);
            at = !isLoose ? close + 1 : next < 0 ? html.length() : next;
            if (isLoose) {
                appendEscaped(html, open, at, closed);
            } else {
                closed.append(html, open, at);
            }
            open = isLoose ? next : html.indexOf('<', at);
        }
        return closed.append(html, at, html.length()).toString();
    }

    private static void write(String html, AllowedTags allowed, StringBuilder clean, boolean hasComments) {
        Finder commentEnd = new Finder(html, "-->");
        Finder lineEnd = new Finder(html, "\n");
        // One for all tags: a megabyte holds hundreds of thousands of them.
        Matcher tag = TAG.matcher(html);
        int at = 0;
        while (at < html.length()) {
            char one = html.charAt(at);
            if (one == '>') {
                clean.append("&gt;");
                at++;
            } else if (one != '<') {
                clean.append(one);
                at++;
            } else {
                int end = html.indexOf('>', at) + 1;
                if (hasComments && html.startsWith("<!--", at)) {
                    int line = lineEnd.from(at);
                    int last = commentEnd.from(at + 4);
                    // A comment of several lines ends at its first bracket, as a tag does.
                    boolean isOneLine = last >= 0 && (line < 0 || last < line);
                    end = isOneLine ? last + 3 : line < 0 ? html.length() : end;
                    writeComment(html.substring(at, end), allowed, clean);
                } else {
                    writeTag(tag.region(at, end), html, allowed, clean);
                }
                at = end;
            }
        }
    }

    /** Finds something again and again, ever further behind: looked for once where there is no more. */
    private static final class Finder {
        private final String text;
        private final String what;
        private int found;

        Finder(String text, String what) {
            this.text = text;
            this.what = what;
            found = text.indexOf(what);
        }

        int from(int begin) {
            if (found >= 0 && found < begin) {
                found = text.indexOf(what, begin);
            }
            return found;
        }
    }

    private static void appendEscaped(String text, int begin, int end, StringBuilder escaped) {
        for (int at = begin; at < end; at++) {
            char one = text.charAt(at);
            switch (one) {
                case '<' -> escaped.append("&lt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#039;");
                default -> escaped.append(one);
            }
        }
    }

    /** Comments that part blocks stay as they are; of others, nothing stays that could end one early. */
    private static void writeComment(String comment, AllowedTags allowed, StringBuilder clean) {
        boolean isBlock = BLOCK_COMMENT.matcher(comment).matches() && comment.indexOf("--", 4) == comment.length() - 3;
        if (isBlock) {
            clean.append(comment);
            return;
        }
        String inside = withoutLooseBrackets(comment.replace("<!--", "").replace("-->", ""));
        StringBuilder inner = new StringBuilder(inside.length());
        write(inside, allowed, inner, false);
        String dashed = DASHES.matcher(inner).replaceAll("-");
        String kept = dashed.endsWith("-") ? dashed.substring(0, dashed.length() - 1) : dashed;
        if (!kept.isEmpty()) {
            clean.append("<!--").append(kept).append("-->");
        }
    }

    private static void writeTag(Matcher tag, String html, AllowedTags allowed, StringBuilder clean) {
        if (!tag.matches()) {
            return;
        }
        String name = tag.group(2);
        String element = LetterCase.lower(name);
        if (!allowed.allows(element)) {
            return;
        }
        if (tag.start(1) >= 0) {
            clean.append("</").append(name).append('>');
            return;
        }
        clean.append('<').append(name);
        if (tag.start(3) < tag.end(3)) {
            String list = html.substring(tag.start(3), tag.end(3)).replace("\\\"", "\"");
            writeAttributes(list, element, allowed, clean);
            clean.append(endsEmpty(list) ? " />" : ">");
        } else {
            clean.append('>');
        }
    }

    /** Says whether an element is closed in itself. */
    private static boolean endsEmpty(String list) {
        int end = list.length();
        if (end > 0 && LINE_ENDS.indexOf(list.charAt(end - 1)) >= 0) {
            end--;
        }
        while (end > 0
                && (list.charAt(end - 1) == ' ' || (list.charAt(end - 1) >= '\t' && list.charAt(end - 1) <= '\r'))) {
            end--;
        }
        return end > 0 && list.charAt(end - 1) == '/';
    }

    /** Reads attributes as browsers do, and writes those that are allowed in one spelling. */
    private static void writeAttributes(String list, String element, AllowedTags allowed, StringBuilder clean) {
        StringBuilder written = new StringBuilder();
        Set<String> seen = new HashSet<>();
        int at = afterSpace(list, 0, true);
        for (int count = 0; at < list.length() && count < MOST_ATTRIBUTES; count++) {
            int nameEnd = at + 1;
            while (nameEnd < list.length()
                    && "=/".indexOf(list.charAt(nameEnd)) < 0
                    && !isSpace(list.charAt(nameEnd))) {
                nameEnd++;
            }
            String name = LetterCase.lower(list.substring(at, nameEnd));
            int equals = afterSpace(list, nameEnd, false);
            String value = null;
            int end = nameEnd;
            if (equals < list.length() && list.charAt(equals) == '=') {
                int begin = afterSpace(list, equals + 1, false);
                char quote = begin < list.length() ? list.charAt(begin) : ' ';
                if (quote == '"' || quote == '\'') {
                    end = list.indexOf(quote, begin + 1);
                    if (end < 0) {
                        // The tag goes on behind its bracket: whatever it was meant to be, nothing of it is sure.
                        return;
                    }
                    value = list.substring(begin + 1, end++);
                } else {
                    end = begin;
                    while (end < list.length() && !isSpace(list.charAt(end))) {
                        end++;
                    }
                    value = list.substring(begin, end);
                }
            }
            if (seen.add(name)) {
                writeAttribute(name, value, element, allowed, written);
            }
            at = afterSpace(list, end, true);
        }
        clean.append(written);
    }

    private static int afterSpace(String list, int from, boolean hasSlashes) {
        int at = from;
        while (at < list.length() && (isSpace(list.charAt(at)) || (hasSlashes && list.charAt(at) == '/'))) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(char one) {
        return one == ' ' || one == '\t' || one == '\n' || one == '\f' || one == '\r';
    }

    private static void writeAttribute(
            String name, @Nullable String sent, String element, AllowedTags allowed, StringBuilder clean) {
        // A name for a download would be the page's word for another site's file.
        boolean isMisplaced = sent == null ? name.equals("style") : name.equals("download");
        if (isMisplaced || !allowed.allows(element, name)) {
            return;
        }
        if (sent == null) {
            clean.append(' ').append(name);
            return;
        }
        String value = Parser.unescapeEntities(sent, true);
        if (name.equals("style")) {
            value = SafeStyles.of(value);
            if (value.isEmpty()) {
                return;
            }
        } else if (AllowedTags.isAddress(name)) {
            value = SafeAddresses.of(value);
        }
        clean.append(' ')
                .append(name)
                .append("=\"")
                .append(References.encoded(value))
                .append('"');
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    private static final Pattern ENDS_EMPTY = Pattern.compile("/\\s*+$");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]");

    private static final Pattern NAME = Pattern.compile("[_a-zA-Z][-_a-zA-Z0-9:.]*+");
    private static final Pattern EQUALS = Pattern.compile("\\s*+=\\s*+");
    private static final Pattern SPACE = Pattern.compile("\\s++");
    private static final Pattern VALUE = Pattern.compile("(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s\"']++))(?:\\s++|/?$)");

    private static final Pattern BLOCK_COMMENT = Pattern.compile(
            "<!-- /?wp:[a-z][a-z0-9_-]*+(?:/[a-z][a-z0-9_-]*+)?+ (?:\\{[^<>]*\\} )?+/?-->|<!--(?:more|nextpage)-->");
    private static final Pattern DASHES = Pattern.compile("--+");

    private static final Pattern BARE_AMPERSAND =
            Pattern.compile("&(?!#\\d{1,7};|#[xX][a-fA-F0-9]{1,6};|([a-zA-Z]{2,8}[0-9]{0,2});)");

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
        String text = BARE_AMPERSAND.matcher(plain).replaceAll("&amp;");
        StringBuilder clean = new StringBuilder(text.length());
        write(text, allowed, clean, true);
        return clean.toString();
    }

    private static void write(String html, AllowedTags allowed, StringBuilder clean, boolean hasComments) {
        int at = 0;
        int close = html.indexOf('>');
        while (at < html.length()) {
            char one = html.charAt(at);
            // Looked for once: a text may have many brackets that nothing closes.
            close = close >= 0 && close < at ? html.indexOf('>', at) : close;
            if (one == '>') {
                clean.append("&gt;");
                at++;
            } else if (one != '<') {
                clean.append(one);
                at++;
            } else if (hasComments && html.startsWith("<!--", at)) {
                int last = html.indexOf("-->", at + 4);
                int end = last < 0 ? html.length() : last + 3;
                writeComment(html.substring(at, end), allowed, clean);
                at = end;
            } else {
                int next = html.indexOf('<', at + 1);
                if (close < 0 || (next >= 0 && next < close)) {
                    // A bracket that nothing closes is text, and so is all up to the next one.
                    int end = next < 0 ? html.length() : next;
                    clean.append(escaped(html.substring(at, end)));
                    at = end;
                } else {
                    writeTag(html.substring(at, close + 1), allowed, clean);
                    at = close + 1;
                }
            }
        }
    }

    private static String escaped(String text) {
        return text.replace("<", "&lt;").replace("\"", "&quot;").replace("'", "&#039;");
    }

    /** Comments that part blocks stay as they are; of others, nothing stays that could end one early. */
    private static void writeComment(String comment, AllowedTags allowed, StringBuilder clean) {
        boolean isBlock = BLOCK_COMMENT.matcher(comment).matches() && comment.indexOf("--", 4) == comment.length() - 3;
        if (isBlock) {
            clean.append(comment);
            return;
        }
        String inside = comment.replace("<!--", "").replace("-->", "");
        StringBuilder inner = new StringBuilder(inside.length());
        write(inside, allowed, inner, false);
        String dashed = DASHES.matcher(inner).replaceAll("-");
        String kept = dashed.endsWith("-") ? dashed.substring(0, dashed.length() - 1) : dashed;
        if (!kept.isEmpty()) {
            clean.append("<!--").append(kept).append("-->");
        }
    }

    private static void writeTag(String token, AllowedTags allowed, StringBuilder clean) {
        Matcher tag = TAG.matcher(token);
        if (!tag.matches()) {
            return;
        }
        String name = tag.group(2);
        String element = name.toLowerCase(Locale.ROOT);
        if (!allowed.allows(element)) {
            return;
        }
        if (tag.group(1) != null) {
            clean.append("</").append(name).append('>');
            return;
        }
        clean.append('<').append(name);
        writeAttributes(tag.group(3), element, allowed, clean);
        clean.append(ENDS_EMPTY.matcher(tag.group(3)).find() ? " />" : ">");
    }

    private static void writeAttributes(String list, String element, AllowedTags allowed, StringBuilder clean) {
        Set<String> seen = new HashSet<>();
        Matcher name = NAME.matcher(list);
        Matcher equals = EQUALS.matcher(list);
        Matcher space = SPACE.matcher(list);
        Matcher value = VALUE.matcher(list);
        int at = space.lookingAt() ? space.end() : 0;
        for (int count = 0; at < list.length() && count < MOST_ATTRIBUTES; count++) {
            int next = -1;
            if (name.region(at, list.length()).lookingAt()) {
                int end = name.end();
                if (equals.region(end, list.length()).lookingAt()) {
                    if (value.region(equals.end(), list.length()).lookingAt()) {
                        next = value.end();
                        if (seen.add(name.group())) {
                            writeAttribute(name.group(), value, element, allowed, clean);
                        }
                    } else {
                        at = equals.end();
                    }
                } else if (end == list.length()
                        || space.region(end, list.length()).lookingAt()) {
                    next = end == list.length() ? end : space.end();
                    if (seen.add(name.group()) && isAllowedAlone(name.group(), element, allowed)) {
                        clean.append(' ').append(name.group());
                    }
                } else {
                    at = end;
                }
            }
            at = next < 0 ? afterMalformed(list, at) : next;
        }
    }

    /** Goes on behind the next space that is not quoted. */
    private static int afterMalformed(String list, int from) {
        int at = from;
        char quote = 0;
        while (at < list.length() && (quote != 0 || !isSpace(list.charAt(at)))) {
            char one = list.charAt(at++);
            if (quote == 0) {
                quote = one == '"' || one == '\'' ? one : 0;
            } else if (one == quote) {
                quote = 0;
            }
        }
        while (at < list.length() && isSpace(list.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    private static boolean isAllowedAlone(String name, String element, AllowedTags allowed) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !lower.equals("style") && allowed.allows(element, lower);
    }

    private static void writeAttribute(
            String name, Matcher sent, String element, AllowedTags allowed, StringBuilder clean) {
        String lower = name.toLowerCase(Locale.ROOT);
        // A name for a download would be the page's word for another site's file.
        if (!allowed.allows(element, lower) || lower.equals("download")) {
            return;
        }
        boolean isSingle = sent.group(2) != null;
        String quoted = isSingle ? sent.group(2) : sent.group(1);
        String value = quoted == null ? sent.group(3) : quoted;
        if (lower.equals("style")) {
            value = SafeStyles.of(value);
            if (value.isEmpty()) {
                return;
            }
        } else if (AllowedTags.isAddress(lower)) {
            value = SafeAddresses.of(value);
        }
        char quote = isSingle ? '\'' : '"';
        clean.append(' ').append(name).append('=').append(quote);
        clean.append(value.replace("<", "")).append(quote);
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of one line without markup, as fields are that no HTML belongs into: the text that stands for a picture, the name
 * of a file as a title.
 *
 * <p>Tags go away, with the insides of scripts and styles, and so do percent-encoded bytes; space of any kind becomes one
 * blank. What is left may be shown as HTML, but for ampersands.
 */
public final class SingleLine {
    private static final Pattern OPENED = Pattern.compile("<[^<>]*+(?!>)(?=<|\\z)");
    private static final Pattern SPACE = Pattern.compile("[\\r\\n\\t ]+");

    private SingleLine() {}

    /**
     * Makes one line of a text.
     *
     * @param text any text
     * @return without tags and line breaks, no space at its ends
     */
    public static String of(String text) {
        String plain = text;
        if (text.indexOf('<') >= 0) {
            // A bracket that nothing closes is text.
            String closed = OPENED.matcher(text).replaceAll(opened -> Matcher.quoteReplacement(escape(opened.group())));
            plain = Markup.visibleText(closed).replace("<\n", "&lt;\n");
        }
        String line = SPACE.matcher(plain).replaceAll(" ").trim();
        String decoded = withoutEncodedBytes(line);
        return decoded.length() == line.length()
                ? line
                : SPACE.matcher(decoded).replaceAll(" ").trim();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;")
                .replace("'", "&#039;");
    }

    /** What is left of one may make another one together with what is before it, so the end is looked at after each. */
    private static String withoutEncodedBytes(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder kept = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            kept.append(text.charAt(at));
            int end = kept.length();
            if (end >= 3
                    && kept.charAt(end - 3) == '%'
                    && Character.digit(kept.charAt(end - 2), 16) >= 0
                    && Character.digit(kept.charAt(end - 1), 16) >= 0) {
                kept.setLength(end - 3);
            }
        }
        return kept.toString();
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.regex.Pattern;

/** Excerpts that nobody wrote: the first words of a content. */
final class Excerpts {
    /** Ends an excerpt that leaves something out. */
    static final String MORE = " [&hellip;]";

    /**
     * How much of a content is looked at. Chosen: much more than its first words are long, also where pictures stand in the text before
     * them; all of a long text would be rendered twice, and a word of it may be as long.
     */
    static final int LOOKED_AT = 1 << 16;

    private static final Pattern MORE_BLOCK = Pattern.compile("<!-- /?wp:more(?: [^<>]*+)?-->");

    /** A text that begins with the end of a page has no page before it. */
    private static final Pattern NO_PAGE =
            Pattern.compile("\\A(?:<!-- wp:nextpage -->)?+\n?+<!--nextpage-->(?:\n?+<!-- /wp:nextpage -->)?+");

    /** A number that leads to a footnote: without the note it says nothing. */
    private static final Pattern NOTE = Pattern.compile(
            "<sup data-fn=\"[^\"]++\" class=\"[^\"]++\">\\s*+<a href=\"[^\"]++\" id=\"[^\"]++\">\\d++</a>\\s*+</sup>");

    private Excerpts() {}

    /**
     * Takes the first words of a content.
     *
     * @param content the content as written
     * @param words how many words at most
     * @return text without tags, on one line
     */
    static String of(String content, int words) {
        String teaser = beginning(teaser(NO_PAGE.matcher(content).replaceFirst("")));
        boolean blocks = Blocks.has(teaser);
        String bare = Shortcodes.remove(teaser);
        String text = NOTE.matcher(blocks ? Blocks.texts(bare) : bare).replaceAll("");
        String html = Shortcodes.render(Paragraphs.of(Typography.apply(Shortcodes.withEmbeds(text))), KnownImages.NONE);
        String rendered = Smilies.apply(html).replace("]]>", "]]&gt;");
        return firstWords(Markup.visibleText(rendered), words);
    }

    /** Ends where a tag or a word does, if there is such a place. */
    private static String beginning(String teaser) {
        if (teaser.length() <= LOOKED_AT) {
            return teaser;
        }
        int end = Math.max(teaser.lastIndexOf('<', LOOKED_AT), teaser.lastIndexOf(' ', LOOKED_AT));
        if (end > 0) {
            return teaser.substring(0, end);
        }
        return Beginning.of(teaser, LOOKED_AT);
    }

    /** What stands before the mark that authors set to end an excerpt. */
    private static String teaser(String content) {
        int more = content.indexOf("<!--more");
        int page = content.indexOf("<!--nextpage-->");
        boolean ends = more >= 0 && content.indexOf("-->", more) >= 0;
        if (!ends && page < 0) {
            return content;
        }
        int end = ends && (page < 0 || more < page) ? more : page;
        return MORE_BLOCK.matcher(content.substring(0, end)).replaceAll("");
    }

    /** A negative number leaves out the last word, as clients of this interface know it. */
    private static String firstWords(String text, int most) {
        int words = most < 0 ? Math.max(0, text.strip().split("[ \\n\\t\\r]+").length - 1) : most;
        StringBuilder first = new StringBuilder();
        int count = 0;
        int at = 0;
        while (true) {
            while (at < text.length() && isSpace(text.charAt(at))) {
                at++;
            }
            if (at == text.length()) {
                return first.toString();
            }
            if (count == words) {
                return first.append(MORE).toString();
            }
            int begin = at;
            while (at < text.length() && !isSpace(text.charAt(at))) {
                at++;
            }
            first.append(count == 0 ? "" : " ").append(text, begin, at);
            count++;
        }
    }

    private static boolean isSpace(char one) {
        return one == ' ' || one == '\n' || one == '\t' || one == '\r';
    }
}

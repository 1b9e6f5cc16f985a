package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Generated excerpts: the first words of a content. */
final class Excerpts {
    private static final String MORE = " [&hellip;]";

    /** The most characters of a content that are read. Chosen: far more than the first words of any article. */
    private static final int LONGEST_READ = 1 << 14;

    private static final Pattern MORE_BLOCK = Pattern.compile("<!-- /?wp:more(?: [^<>]*+)?-->");

    /** A text that begins with the end of a page has no page before it. */
    private static final Pattern NO_PAGE =
            Pattern.compile("\\A(?:<!-- wp:nextpage -->)?+\n?+<!--nextpage-->(?:\n?+<!-- /wp:nextpage -->)?+");

    /** A number that leads to a footnote says nothing without the note. */
    private static final Pattern NOTE =
            Pattern.compile("<sup data-fn=\"[^\"]++\"[^<>]*+>\\s*+<a [^<>]++>\\d++</a>\\s*+</sup>");

    private Excerpts() {}

    /**
     * Takes the first words of a content.
     *
     * @param content the content as written
     * @param words how many words at most; a negative number leaves out the last word
     * @param items whose titles stand for their addresses
     * @return text without tags, on one line
     */
    static String of(String content, int words, KnownItems items) {
        String teaser = beginning(teaser(NO_PAGE.matcher(content).replaceFirst("")));
        String bare = Shortcodes.remove(teaser);
        String text = NOTE.matcher(BlockMarkup.has(teaser) ? Blocks.texts(bare) : bare)
                .replaceAll("");
        String visible = Markup.visibleText(Paragraphs.of(Typography.apply(OwnAddresses.embedded(text, items)))
                .replace("]]>", "]]&gt;"));
        return firstWords(visible.strip(), words);
    }

    /** Ends where a tag or a word does, if there is such a place. */
    private static String beginning(String teaser) {
        if (teaser.length() <= LONGEST_READ) {
            return teaser;
        }
        int end = Math.max(teaser.lastIndexOf('<', LONGEST_READ), teaser.lastIndexOf(' ', LONGEST_READ));
        return end > 0 ? teaser.substring(0, end) : Letters.beginning(teaser, LONGEST_READ);
    }

    /** Takes the text before the mark with which authors end an excerpt, or before the second page. */
    private static String teaser(String content) {
        int more = content.indexOf("<!--more");
        int page = content.indexOf("<!--nextpage-->");
        int end = more >= 0 && (page < 0 || more < page) ? more : page;
        return end < 0 ? content : MORE_BLOCK.matcher(content.substring(0, end)).replaceAll("");
    }

    private static String firstWords(String text, int most) {
        String[] all = text.isEmpty() ? new String[0] : text.split("[ \\n\\t\\r]+");
        int count = most < 0 ? Math.max(0, all.length - 1) : Math.min(most, all.length);
        return String.join(" ", Arrays.asList(all).subList(0, count)) + (count < all.length ? MORE : "");
    }
}

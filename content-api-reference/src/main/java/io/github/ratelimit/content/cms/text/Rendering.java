package io.github.ratelimit.content.cms.text;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The HTML that readers get: typographic marks, paragraphs, excerpts.
 *
 * <p>A text is rendered when it is written. The result contains all HTML that the author was allowed to write; {@link
 * HtmlPolicy} is applied before.
 */
public final class Rendering {
    /** The words of a generated excerpt. Chosen: what clients of this interface expect. */
    public static final int EXCERPT_WORDS = 55;

    /** The most characters of a rendered text. A longer one is rejected by the caller, so its rendering stops early. */
    public static final int LONGEST = 1 << 20;

    /** A placeholder for the id of the item of a text. Stored texts contain it, shown ones do not. */
    static final char ITEM = '\ufdd8';

    /** Unicode reserves these code points for use inside programs. */
    private static final Pattern PLACEHOLDERS = Pattern.compile("[\ufdd0-\ufdef]");

    private Rendering() {}

    /**
     * Renders a title.
     *
     * @param raw the title as written
     * @return the title with typographic marks; HTML in it stays
     */
    public static String title(String raw) {
        return Typography.withReferences(Typography.apply(withoutPlaceholders(raw)))
                .trim();
    }

    /**
     * Renders a content.
     *
     * @param raw the content as written: blocks, or text with blank lines between its paragraphs
     * @param items tells about the items of this site in it
     * @param notes what the block of footnotes shows; HTML
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String content(String raw, KnownItems items, String notes) {
        String html = withoutPlaceholders(raw);
        if (html.isBlank()) {
            return "";
        }
        for (UnaryOperator<String> stage : stages(BlockMarkup.has(raw), items, withoutPlaceholders(notes))) {
            html = stage.apply(html);
            if (html.length() > LONGEST) {
                break;
            }
        }
        return html;
    }

    /**
     * The stages of a content, in their order. Each takes HTML and makes HTML, in which every bracket begins or ends a tag. Addresses
     * come before the comments of blocks are gone, marks before shortcodes write tags of their own, pictures last.
     */
    private static List<UnaryOperator<String>> stages(boolean isBlocks, KnownItems items, String notes) {
        UnaryOperator<String> blocks = html -> Blocks.render(html, notes);
        return List.of(
                html -> OwnAddresses.embedded(html, items),
                isBlocks ? blocks : UnaryOperator.identity(),
                Typography::apply,
                isBlocks ? UnaryOperator.identity() : Paragraphs::of,
                html -> Shortcodes.render(html, items),
                html -> ImageTags.complete(html, items));
    }

    /**
     * Names the item in a rendered text, where elements are named after it.
     *
     * @param rendered by one of the methods here
     * @param item its id
     * @return the text for readers
     */
    public static String named(String rendered, long item) {
        return rendered.replace(String.valueOf(ITEM), String.valueOf(item));
    }

    /**
     * Renders a short text of an item: a written excerpt, a caption, a description.
     *
     * @param raw the text as written
     * @param images tells about the uploaded pictures in it
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String shortText(String raw, KnownItems images) {
        if (raw.isBlank()) {
            return "";
        }
        String set = Typography.withReferences(Typography.apply(withoutPlaceholders(raw)));
        return set.length() > LONGEST ? set : ImageTags.complete(Paragraphs.of(set), images);
    }

    /**
     * Renders an excerpt of the usual length.
     *
     * @param raw the excerpt as written; where it is empty, one is generated from the content
     * @param content the content as written
     * @param items tells about the items of this site in both
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String excerpt(String raw, String content, KnownItems items) {
        return raw.isBlank() ? excerpt(content, EXCERPT_WORDS, items) : shortText(raw, items);
    }

    /**
     * Renders a generated excerpt.
     *
     * @param content the content as written; {@code <!--more-->} in it ends the excerpt
     * @param words how many words it has at most
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String excerpt(String content, int words) {
        return excerpt(content, words, KnownItems.NONE);
    }

    private static String excerpt(String content, int words, KnownItems items) {
        return content.isBlank()
                ? ""
                : shortText(Excerpts.of(withoutPlaceholders(content), words, items), KnownItems.NONE);
    }

    /**
     * Tells the version of the blocks of a content.
     *
     * @param raw the content as written
     * @return 1, or 0 for a content without blocks
     */
    public static int blockVersion(String raw) {
        return BlockMarkup.has(raw) ? 1 : 0;
    }

    /**
     * Removes all HTML.
     *
     * @param html rendered or raw
     * @return the text that a reader sees, in which {@code <}, {@code >} and {@code &} may still be character references
     */
    public static String plainText(String html) {
        return Markup.visibleText(html).trim();
    }

    /**
     * Removes the placeholders from a text, so that no author writes one.
     *
     * @param text from outside
     * @return the rest
     */
    static String withoutPlaceholders(String text) {
        return PLACEHOLDERS.matcher(text).replaceAll("");
    }
}

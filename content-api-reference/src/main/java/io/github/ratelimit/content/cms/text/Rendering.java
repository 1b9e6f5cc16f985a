package io.github.ratelimit.content.cms.text;

/**
 * What readers see of what was written: typographic marks, paragraphs, excerpts.
 *
 * <p>Meant to be called when a text is written, so that its readers wait for nothing. The result holds whatever HTML the
 * author was allowed to write; {@link HtmlPolicy} comes before.
 */
public final class Rendering {
    /** The words of an excerpt that nobody wrote. Chosen: what clients of this interface expect. */
    public static final int EXCERPT_WORDS = 55;

    /**
     * The characters that are kept of what is shown, at most. Rendering lengthens texts, and does not go on with one that is longer: whoever
     * keeps it refuses it. Chosen: the length of what can be sent.
     */
    public static final int LONGEST = 1 << 20;

    private Rendering() {}

    /**
     * Renders a title.
     *
     * @param raw the title as written
     * @return the title with typographic marks; HTML in it stays
     */
    public static String title(String raw) {
        String set = Typography.apply(Placeholders.removeFrom(raw));
        return set.length() > LONGEST
                ? set
                : References.withoutLooseAmpersands(set).trim();
    }

    /**
     * Renders a content.
     *
     * @param raw the content as written: blocks, or text whose blank lines part paragraphs
     * @param images tells about the uploaded pictures in it
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String content(String raw, KnownImages images) {
        boolean isBlocks = Blocks.has(raw);
        String plain = Placeholders.removeFrom(raw);
        String set = Typography.apply(Shortcodes.withEmbeds(isBlocks ? Blocks.render(plain) : plain));
        if (set.length() > LONGEST) {
            return set;
        }
        String paragraphs = isBlocks ? set : Paragraphs.of(set);
        if (paragraphs.length() > LONGEST) {
            return paragraphs;
        }
        String html = Shortcodes.withoutParagraphs(paragraphs);
        return Smilies.apply(ImageTags.complete(Shortcodes.render(html, images), images));
    }

    /**
     * Names the item in what was rendered for it, where elements are named after it.
     *
     * @param rendered by one of the methods here
     * @param item its id
     * @return what is shown
     */
    public static String named(String rendered, long item) {
        return rendered.indexOf(Placeholders.ITEM) < 0
                ? rendered
                : rendered.replace(String.valueOf(Placeholders.ITEM), String.valueOf(item));
    }

    /**
     * Renders a short text that belongs to an item: an excerpt that somebody wrote, a caption, a description.
     *
     * @param raw the text as written
     * @param images tells about the uploaded pictures in it
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String shortText(String raw, KnownImages images) {
        String set = Typography.apply(Placeholders.removeFrom(raw));
        if (set.length() > LONGEST) {
            return set;
        }
        String html = Paragraphs.of(References.withoutLooseAmpersands(Smilies.apply(set)));
        if (html.length() > LONGEST) {
            return html;
        }
        return ImageTags.complete(Shortcodes.withoutParagraphs(html), images);
    }

    /**
     * Renders an excerpt of the usual length.
     *
     * @param raw the excerpt as written; where it is empty, one is made of the content
     * @param content the content as written
     * @param images tells about the uploaded pictures in an excerpt that somebody wrote
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String excerpt(String raw, String content, KnownImages images) {
        return raw.isBlank() ? excerpt(content, EXCERPT_WORDS) : shortText(raw, images);
    }

    /**
     * Renders an excerpt that nobody wrote.
     *
     * @param content the content as written; {@code <!--more-->} in it ends the excerpt
     * @param words how many words it has at most
     * @return HTML that ends with a line break, or nothing for nothing
     */
    public static String excerpt(String content, int words) {
        return shortText(Excerpts.of(Placeholders.removeFrom(content), words), KnownImages.NONE);
    }

    /**
     * Tells the version of the blocks that a content is made of.
     *
     * @param raw the content as written
     * @return 1, or 0 for a content without blocks
     */
    public static int blockVersion(String raw) {
        return Blocks.has(raw) ? 1 : 0;
    }

    /**
     * Leaves out all HTML.
     *
     * @param html rendered or raw
     * @return the text that a reader sees, in which {@code <}, {@code >} and {@code &} may still be character references
     */
    public static String plainText(String html) {
        return Markup.visibleText(html).trim();
    }
}

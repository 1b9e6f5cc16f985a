package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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

    /** Chosen: excerpts that nobody wrote are shorter by far. */
    private static final int LONGEST_SUMMARY = 5_000;

    private Rendering() {}

    /**
     * Renders a title.
     *
     * @param raw the title as written
     * @return the title with typographic marks; HTML in it stays
     */
    public static String title(String raw) {
        String set = markup(raw);
        return set.length() > LONGEST ? set : set.trim();
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
     * Fills in what blocks show that are left empty until somebody reads them.
     *
     * @param rendered by {@link #content}
     * @param raw what it was rendered from
     * @param room of the answer; blocks that come when there is none left show nothing
     * @param filling what a block shows; nothing for an unknown one
     * @return what is shown
     */
    public static String filled(String rendered, String raw, Room room, Function<ServedBlock, String> filling) {
        return rendered.indexOf(Placeholders.SERVED) < 0 ? rendered : ServedBlock.fill(rendered, raw, room, filling);
    }

    /**
     * Reads what was rendered as a text, to show its beginning as often as it is asked for.
     *
     * @param html any; of a long one {@value #LONGEST_SUMMARY} characters are looked at
     * @return the text; one that ends as excerpts do goes on
     */
    public static Summary summary(String html) {
        String read = beginning(html, LONGEST_SUMMARY);
        String text = plainText(read);
        return text.endsWith(Excerpts.MORE)
                ? new Summary(text.substring(0, text.length() - Excerpts.MORE.length()), true)
                : new Summary(text, read.length() < html.length());
    }

    /** Ends no tag in its middle: what is left of it would be text. */
    private static String beginning(String html, int most) {
        if (html.length() <= most) {
            return html;
        }
        int piece = 0;
        int end = 0;
        while (end <= most) {
            piece = end;
            end = Markup.pieceEnd(html, piece);
        }
        return html.substring(0, html.charAt(piece) == '<' ? piece : most);
    }

    /**
     * A text without markup.
     *
     * @param text the text, or its beginning
     * @param goesOn whether there is more than that
     */
    public record Summary(String text, boolean goesOn) {
        /**
         * Takes the first words.
         *
         * @param most how many at most
         * @return the words, and whether there are more
         */
        public Words first(int most) {
            List<String> words = Arrays.stream(text.split("\\s+", most + 2))
                    .filter(word -> !word.isEmpty())
                    .toList();
            return new Words(
                    String.join(" ", words.subList(0, Math.min(most, words.size()))), goesOn || words.size() > most);
        }
    }

    /**
     * The first words of a text.
     *
     * @param text with single spaces
     * @param hasMore whether the text goes on
     */
    public record Words(String text, boolean hasMore) {}

    /**
     * Makes the element of the picture that stands for an item.
     *
     * @param image the picture
     * @param site its address, without a slash at its end
     * @param size the name of one of its sizes; any other is the whole
     * @param title what it says where it is not displayed, as HTML; empty for what was written with the picture
     * @param style of the element
     * @return HTML
     */
    public static String picture(KnownImages.Image image, String site, String size, String title, String style) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("class", "attachment-" + size + " size-" + size + " wp-post-image");
        attributes.put("alt", title.isEmpty() ? Galleries.alternative(image) : title);
        attributes.put("style", style);
        return ImageTags.complete(Galleries.element(image, site, size, attributes), KnownImages.NONE);
    }

    /**
     * Spells a text as HTML.
     *
     * @param text any
     * @return with typographic marks, and without any tag
     */
    public static String text(String text) {
        return markup(References.encoded(text));
    }

    /**
     * Renders a few words.
     *
     * @param html harmless
     * @return with typographic marks; space around it stays
     */
    public static String markup(String html) {
        String set = Typography.apply(Placeholders.removeFrom(html));
        return set.length() > LONGEST ? set : References.withoutLooseAmpersands(set);
    }

    /**
     * Spells a text as the value of an attribute.
     *
     * @param html any; its tags go away
     * @return without quotation marks
     */
    public static String attribute(String html) {
        return References.normalized(Markup.withoutTags(html))
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#039;");
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
     * Renders an excerpt that nobody wrote, while an answer is read.
     *
     * @param content the content as written
     * @param words how many words it has at most
     * @param room of the answer
     * @return HTML as that of {@link #excerpt(String, int)}; empty where there is no room left
     */
    public static Optional<String> excerpt(String content, int words, Room room) {
        long needed = Math.min(content.length(), Excerpts.LOOKED_AT);
        if (!room.has(needed)) {
            return Optional.empty();
        }
        room.take(needed);
        return Optional.of(excerpt(content, words));
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

package io.github.ratelimit.content.cms.item;

/**
 * The texts of an item as they were written.
 *
 * @param title may hold HTML
 * @param content the text itself
 * @param excerpt in short, or empty
 * @param footnotes as an editor's tool keeps them
 */
record RawTexts(String title, String content, String excerpt, String footnotes) {
    static RawTexts of(Item item) {
        return new RawTexts(
                item.title().raw(), item.content().raw(), item.excerpt().raw(), item.footnotes());
    }

    long length() {
        return (long) title.length() + content.length() + excerpt.length() + footnotes.length();
    }

    boolean isSame(RawTexts other) {
        return isSame(title, other.title)
                && isSame(content, other.content)
                && isSame(excerpt, other.excerpt)
                && footnotes.equals(other.footnotes);
    }

    /** Repeated spaces and line breaks make no other text. */
    private static boolean isSame(String one, String other) {
        return one.equals(other) || spacedOnce(one).equals(spacedOnce(other));
    }

    private static String spacedOnce(String text) {
        return text.replace('\t', ' ')
                .replace('\r', '\n')
                .replaceAll(" +", " ")
                .replaceAll("\n+", "\n")
                .strip();
    }
}

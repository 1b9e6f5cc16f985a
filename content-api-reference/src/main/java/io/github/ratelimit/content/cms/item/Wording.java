package io.github.ratelimit.content.cms.item;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The texts of an item as they were written.
 *
 * @param title may hold HTML
 * @param content the text itself
 * @param excerpt in short, or empty
 * @param footnotes as an editor's tool keeps them
 */
record Wording(String title, String content, String excerpt, String footnotes) {
    static final Wording NONE = new Wording("", "", "", "");

    static Wording of(Item item) {
        return new Wording(
                item.title().raw(), item.content().raw(), item.excerpt().raw(), item.footnotes());
    }

    /** Replaces the texts that were sent. */
    Wording with(ItemInput input) {
        return new Wording(
                input.title().orElse(title),
                input.content().orElse(content),
                input.excerpt().orElse(excerpt),
                footnotesOf(input).orElse(footnotes));
    }

    static Optional<String> footnotesOf(ItemInput input) {
        return input.footnotes().filter(JsonNode::isString).map(JsonNode::stringValue);
    }

    long length() {
        return (long) title.length() + content.length() + excerpt.length() + footnotes.length();
    }

    boolean isSame(Wording other) {
        return isSame(title, other.title)
                && isSame(content, other.content)
                && isSame(excerpt, other.excerpt)
                && footnotes.equals(other.footnotes);
    }

    /** Repeated spaces and line breaks make no other wording. */
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

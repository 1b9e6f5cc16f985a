package io.github.ratelimit.content.text;

/**
 * HTML of callers who may not write whatever they like: scripts, event attributes, frames and addresses that run code go
 * away, their texts stay.
 */
public final class HtmlPolicy {
    private HtmlPolicy() {}

    /**
     * Leaves of a content, an excerpt, a caption or a description what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return the allowed part, block comments included
     */
    public static String cleanContent(String html) {
        return Markup.withoutTags(html);
    }

    /**
     * Leaves of a title what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return text and a few tags that a title may hold
     */
    public static String cleanTitle(String html) {
        return Markup.withoutTags(html);
    }
}

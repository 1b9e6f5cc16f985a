package io.github.ratelimit.content.text;

/** Marks as a typesetter sets them. */
final class Typography {
    private Typography() {}

    /**
     * Sets typographic marks in what is between the tags.
     *
     * @param html any text
     * @return the same with marks set
     */
    static String apply(String html) {
        return html;
    }
}

package io.github.ratelimit.content.cms.text;

/** The beginnings of texts that may be longer than what is kept or looked at. */
public final class Beginning {
    private Beginning() {}

    /**
     * Cuts a text without cutting a character in two: half of one is no text that a database keeps.
     *
     * @param text any text
     * @param most how many {@code char}s are kept, 0 or more
     * @return the text itself where it is no longer; else so many of it, or one less
     */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isHalf = most > 0
                && Character.isHighSurrogate(text.charAt(most - 1))
                && Character.isLowSurrogate(text.charAt(most));
        return text.substring(0, isHalf ? most - 1 : most);
    }
}

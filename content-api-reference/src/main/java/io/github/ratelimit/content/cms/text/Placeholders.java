package io.github.ratelimit.content.cms.text;

import java.util.regex.Pattern;

/**
 * Characters with a meaning while a text is rendered or stored.
 *
 * <p>Unicode reserves these code points for use inside programs. {@link #removeFrom} removes them from all input.
 */
final class Placeholders {
    /** The id of the item of a text. Stored texts contain it, shown ones do not. */
    static final char ITEM = '\ufdd8';

    private static final Pattern ALL = Pattern.compile("[\ufdd0-\ufdef]");

    private Placeholders() {}

    /**
     * Removes the reserved characters.
     *
     * @param text from outside
     * @return the rest
     */
    static String removeFrom(String text) {
        return ALL.matcher(text).replaceAll("");
    }
}

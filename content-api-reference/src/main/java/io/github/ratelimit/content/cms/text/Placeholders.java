package io.github.ratelimit.content.cms.text;

/**
 * Characters that stand for something while a text is being worked on.
 *
 * <p>They are code points that Unicode sets aside for use inside programs. {@link #removeFrom} takes them out of what
 * comes from outside, so whatever stands in a text later was put there by us.
 */
final class Placeholders {
    /** An apostrophe that is no quotation mark. */
    static final char APOSTROPHE = '\ufdd3';

    /** The id of the item that a text belongs to: what is stored holds it, what is shown does not. */
    static final char ITEM = '\ufdd8';

    /** A block that is filled when it is read: the place of its comment in what was written follows, then the same character again. */
    static final char SERVED = '\ufdd9';

    private static final char FIRST = '\ufdd0';
    private static final char LAST = '\ufdef';

    private Placeholders() {}

    /**
     * Takes out what looks like a placeholder.
     *
     * @param text what comes from outside
     * @return the text without; the same object where nothing was to be done
     */
    static String removeFrom(String text) {
        int at = 0;
        while (at < text.length() && !isPlaceholder(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder rest = new StringBuilder(text.length()).append(text, 0, at);
        for (; at < text.length(); at++) {
            if (!isPlaceholder(text.charAt(at))) {
                rest.append(text.charAt(at));
            }
        }
        return rest.toString();
    }

    private static boolean isPlaceholder(char one) {
        return one >= FIRST && one <= LAST;
    }
}

package io.github.ratelimit.content.cms.text;

import java.text.Normalizer;

/**
 * Normal forms of Unicode, in time that grows with the text and not faster.
 *
 * <p>Marks that follow one letter are sorted, and sorting many of them takes their number squared. No language has more
 * than a few; a longer run is normalised in pieces. Rule: UAX #15 §13, the stream-safe text format.
 */
public final class NormalForms {
    /** Rule: the most marks in a row that a stream-safe text has. */
    private static final int MOST_MARKS = 30;

    private NormalForms() {}

    /**
     * Normalises a text.
     *
     * @param text any text
     * @param form the normal form
     * @return the text in that form; of a run of more than 30 marks each 30 of them
     */
    public static String of(String text, Normalizer.Form form) {
        StringBuilder pieces = null;
        int begin = 0;
        int marks = 0;
        int at = 0;
        while (at < text.length()) {
            int letter = text.codePointAt(at);
            at += Character.charCount(letter);
            marks = isMark(letter) ? marks + 1 : 0;
            if (marks == MOST_MARKS) {
                pieces = pieces == null ? new StringBuilder(text.length()) : pieces;
                pieces.append(Normalizer.normalize(text.substring(begin, at), form));
                begin = at;
                marks = 0;
            }
        }
        String last = Normalizer.normalize(text.substring(begin), form);
        return pieces == null ? last : pieces.append(last).toString();
    }

    private static boolean isMark(int letter) {
        int type = Character.getType(letter);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}

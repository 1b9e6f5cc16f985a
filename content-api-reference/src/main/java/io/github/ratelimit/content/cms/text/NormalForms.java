package io.github.ratelimit.content.cms.text;

import java.text.Normalizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Normal forms of Unicode, in time that grows with the text and not faster.
 *
 * <p>Marks that follow one letter are sorted, and sorting many of them takes their number squared. No language has more
 * than a few; a longer run is normalised in pieces. Rule: UAX #15 §13, the stream-safe text format.
 */
public final class NormalForms {
    /** Rule: the most marks in a row that a stream-safe text has. */
    private static final Pattern MARKS = Pattern.compile("\\p{M}{30}");

    private NormalForms() {}

    /**
     * Normalises a text.
     *
     * @param text any text
     * @param form the normal form
     * @return the text in that form; of a run of more than 30 marks each 30 of them
     */
    public static String of(String text, Normalizer.Form form) {
        StringBuilder pieces = new StringBuilder(text.length());
        int begin = 0;
        Matcher marks = MARKS.matcher(text);
        while (marks.find()) {
            pieces.append(Normalizer.normalize(text.substring(begin, marks.end()), form));
            begin = marks.end();
        }
        return pieces.append(Normalizer.normalize(text.substring(begin), form)).toString();
    }
}

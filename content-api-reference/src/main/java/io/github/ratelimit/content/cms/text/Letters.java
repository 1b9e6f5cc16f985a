package io.github.ratelimit.content.cms.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Letter case, normal forms and beginnings of texts, in time that grows with the text and not faster. */
public final class Letters {
    /** The one letter whose small form is longer, in every language but two. */
    private static final String LONGER = "\u0130";

    private static final String LONGER_SMALL = "i\u0307";

    /** The most bytes of a text that lists are ordered by. Chosen: what every database takes into an index. */
    public static final int SORTED_BYTES = 240;

    /** Rule: the most marks in a row that a stream-safe text has. */
    private static final Pattern MARKS = Pattern.compile("\\p{M}{30}");

    private Letters() {}

    /**
     * Tells what {@link String#toLowerCase} does, in proportion to the text's length: that makes room anew for each letter whose small form is
     * longer, so a megabyte of them took minutes.
     *
     * @param text any
     * @return in small letters
     */
    public static String lower(String text) {
        return text.replace(LONGER, LONGER_SMALL).toLowerCase(Locale.ROOT);
    }

    /**
     * Says the same to a database, one of which is written in Java.
     *
     * @param expression a text in SQL, trusted
     * @return the text in small letters, in SQL
     */
    public static String lowerSql(String expression) {
        return "lower(replace(" + expression + ", '" + LONGER + "', '" + LONGER_SMALL + "'))";
    }

    /**
     * Spells a text so that its bytes compare as its letters do, whatever their case, in every database.
     *
     * @param text any
     * @return at most {@link #SORTED_BYTES}
     */
    public static byte[] sorted(String text) {
        byte[] bytes = lower(text).getBytes(StandardCharsets.UTF_8);
        return bytes.length > SORTED_BYTES ? Arrays.copyOf(bytes, SORTED_BYTES) : bytes;
    }

    /**
     * Normalises a text. Sorting many marks of one letter takes their number squared, and no language has more than a few. So a longer run is
     * normalised in pieces. Rule: UAX #15 §13, the stream-safe text format.
     *
     * @param text any text
     * @param form the normal form
     * @return the text in that form; of a run of more than 30 marks each 30 of them
     */
    public static String normalized(String text, Normalizer.Form form) {
        StringBuilder pieces = new StringBuilder(text.length());
        int begin = 0;
        Matcher marks = MARKS.matcher(text);
        while (marks.find()) {
            pieces.append(Normalizer.normalize(text.substring(begin, marks.end()), form));
            begin = marks.end();
        }
        return pieces.append(Normalizer.normalize(text.substring(begin), form)).toString();
    }

    /**
     * Cuts a text without cutting a character in two: half of one is no text that a database keeps.
     *
     * @param text any text
     * @param most how many {@code char}s are kept, 0 or more
     * @return the text itself where it is no longer; else so many of it, or one less
     */
    public static String beginning(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isHalf = most > 0
                && Character.isHighSurrogate(text.charAt(most - 1))
                && Character.isLowSurrogate(text.charAt(most));
        return text.substring(0, isHalf ? most - 1 : most);
    }
}

package io.github.ratelimit.content.cms.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The small letters of texts of any length. */
public final class LetterCase {
    /** The one letter whose small form is longer, in every language but two. */
    private static final String LONGER = "\u0130";

    private static final String LONGER_SMALL = "i\u0307";

    /** The most bytes of a text that lists are ordered by. Chosen: what every database takes into an index. */
    public static final int SORTED_BYTES = 240;

    private LetterCase() {}

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
}

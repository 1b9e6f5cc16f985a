package io.github.ratelimit.content.cms.text;

import java.util.Locale;

/** The small letters of texts of any length. */
public final class LetterCase {
    /** The one letter whose small form is longer, in every language but two. */
    private static final String LONGER = "\u0130";

    private static final String LONGER_SMALL = "i\u0307";

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
}

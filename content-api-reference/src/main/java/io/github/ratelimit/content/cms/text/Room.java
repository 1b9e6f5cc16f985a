package io.github.ratelimit.content.cms.text;

/** What may still be made of texts while one answer is read. Belongs to one thread. */
public final class Room {
    /**
     * The characters that all texts of an answer have made of them while it is read, at most, beside what was made when they were written.
     * Chosen: those of four {@linkplain ServedBlock#LONGEST longest} texts.
     */
    static final int IN_AN_ANSWER = 4 * ServedBlock.LONGEST;

    private long left = IN_AN_ANSWER;

    boolean has(long characters) {
        return characters <= left;
    }

    /**
     * Takes what was needed, also where there was less: nobody takes anything after that.
     *
     * @param characters that were read, or made
     */
    public void take(long characters) {
        left -= characters;
    }
}

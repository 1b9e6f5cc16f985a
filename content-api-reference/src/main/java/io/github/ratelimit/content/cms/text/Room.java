package io.github.ratelimit.content.cms.text;

/** What may still be made of texts while one answer is read. Belongs to one thread. */
public final class Room {
    /**
     * The characters that blocks show in all texts of an answer at most. Chosen: those of four {@linkplain ServedBlock#LONGEST longest}
     * texts.
     */
    static final int FILLED = 4 * ServedBlock.LONGEST;

    /** The characters of which excerpts are made anew in an answer at most. Chosen: those of a hundred long articles. */
    static final int SHORTENED = 1 << 20;

    private long left;

    private Room(long left) {
        this.left = left;
    }

    /** Makes room for what blocks show. */
    public static Room forBlocks() {
        return new Room(FILLED);
    }

    /** Makes room for excerpts. */
    public static Room forExcerpts() {
        return new Room(SHORTENED);
    }

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

package io.github.ratelimit.content.cms.item;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/**
 * What stands between the spaces of a text, in lower case: a text without spaces is found in another one exactly where it is
 * found in one of its runs.
 *
 * <p>Runs that a single blank parts have neighbouring places, all others leave one out between them. A long run is cut into
 * pieces that overlap by half, marked where they were cut: what is no longer than half a piece lies within one of them.
 */
final class TextRuns extends TokenStream {
    private static final int PIECE = 256;
    private static final int LONGEST = PIECE / 2;

    /** Is in no text: Unicode keeps it free. */
    private static final char CUT = '\uFFFF';

    private final CharTermAttribute run = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
    private final String text;
    private int at;
    private int from;
    private int to;

    /**
     * Reads a text.
     *
     * @param text in lower case
     */
    TextRuns(String text) {
        this.text = text;
    }

    /** Says whether something can be looked for: not longer than half a piece, and without spaces. */
    static boolean isFound(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.chars().noneMatch(c -> Character.isWhitespace(c) || c == CUT);
    }

    @Override
    public boolean incrementToken() {
        clearAttributes();
        if (from + PIECE < to) {
            from += LONGEST;
            step.setPositionIncrement(0);
        } else if (findRun()) {
            boolean isNext = from == 0 || (from - at == 1 && text.charAt(at) == ' ');
            step.setPositionIncrement(isNext ? 1 : 2);
            at = to;
        } else {
            return false;
        }
        boolean isFirst = from == 0 || Character.isWhitespace(text.charAt(from - 1));
        int end = Math.min(to, from + PIECE);
        run.append(isFirst ? "" : String.valueOf(CUT))
                .append(text, from, end)
                .append(end == to ? "" : String.valueOf(CUT));
        return true;
    }

    private boolean findRun() {
        from = at;
        while (from < text.length() && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        to = from;
        while (to < text.length() && !Character.isWhitespace(text.charAt(to))) {
            to++;
        }
        return from < to;
    }

    @Override
    public void reset() {
        at = 0;
        from = 0;
        to = 0;
    }
}

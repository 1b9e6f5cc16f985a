package io.github.ratelimit.content.cms.item;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.lucene.util.automaton.Automaton;

/**
 * Automata that find a word within others: by Knuth, Morris and Pratt, over the bytes of UTF-8, so made in proportion to the word's length.
 * Those of a pattern with wildcards are made deterministic first, which takes the square of it: a stranger says how long it is.
 */
final class Occurrences {
    private static final int BYTES = 256;

    private Occurrences() {}

    /**
     * Finds a word anywhere.
     *
     * @param word not empty
     * @return deterministic, over bytes
     */
    static Automaton anywhere(String word) {
        int[][] next = table(word);
        Arrays.fill(next[next.length - 1], next.length - 1);
        return automaton(next);
    }

    /**
     * Finds a word at the end.
     *
     * @param word not empty
     * @return deterministic, over bytes
     */
    static Automaton atTheEnd(String word) {
        return automaton(table(word));
    }

    /** Says, for each number of bytes that were met of the word, how many have been after each byte that may follow. */
    private static int[][] table(String word) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        int[][] next = new int[bytes.length + 1][BYTES];
        next[0][bytes[0] & 0xff] = 1;
        int restart = 0;
        for (int met = 1; met <= bytes.length; met++) {
            System.arraycopy(next[restart], 0, next[met], 0, BYTES);
            if (met < bytes.length) {
                int wanted = bytes[met] & 0xff;
                next[met][wanted] = met + 1;
                restart = next[restart][wanted];
            }
        }
        return next;
    }

    private static Automaton automaton(int[][] next) {
        Automaton automaton = new Automaton();
        for (int state = 0; state < next.length; state++) {
            automaton.createState();
        }
        automaton.setAccept(next.length - 1, true);
        for (int state = 0; state < next.length; state++) {
            int from = 0;
            for (int value = 1; value <= BYTES; value++) {
                if (value == BYTES || next[state][value] != next[state][from]) {
                    automaton.addTransition(state, next[state][from], from, value - 1);
                    from = value;
                }
            }
        }
        automaton.finishState();
        return automaton;
    }
}

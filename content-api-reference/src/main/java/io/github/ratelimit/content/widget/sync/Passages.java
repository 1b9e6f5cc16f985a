package io.github.ratelimit.content.widget.sync;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Cuts documents into passages that are short enough for an answer. */
final class Passages {

    /** Chosen: three or four sentences, what fits a chat bubble. */
    static final int MAX_LENGTH = 500;

    /** Chosen: as many as the longest document has of full length; lines behind them share passages. */
    static final int MANY = 400;

    /** Sentences are looked for in pieces, as looking ahead for the end of one may read on to the end of the text. */
    private static final int PIECE = 4 * MAX_LENGTH;

    private static final Pattern LINE_BREAK = Pattern.compile("\\R");
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private Passages() {}

    /**
     * Cuts a document.
     *
     * @param content plain text or HTML
     * @return plain text in its order, none of it blank or longer than {@link #MAX_LENGTH}
     */
    static List<String> of(String content) {
        List<String> passages = new ArrayList<>();
        StringBuilder shared = new StringBuilder();
        for (String paragraph : LINE_BREAK.split(StrippedText.of(content))) {
            String text = SPACES.matcher(paragraph).replaceAll(" ").strip();
            if (text.length() > MAX_LENGTH) {
                cutInPieces(text, passages);
                continue;
            }
            if (passages.size() < MANY) {
                add(text, passages);
                continue;
            }
            if (text.isEmpty()) {
                continue;
            }
            if (shared.length() + 1 + text.length() > MAX_LENGTH) {
                add(shared.toString(), passages);
                shared.setLength(0);
            }
            shared.append(shared.isEmpty() ? "" : " ").append(text);
        }
        add(shared.toString(), passages);
        return passages;
    }

    private static void cutInPieces(String paragraph, List<String> passages) {
        int from = 0;
        while (paragraph.length() - from > 2 * PIECE) {
            int space = lastSpace(paragraph, from + PIECE / 2, from + PIECE);
            int stop = space >= 0 ? space : wholeCharacters(paragraph, from + PIECE);
            cut(paragraph.substring(from, stop), passages);
            from = stop;
        }
        cut(paragraph.substring(from), passages);
    }

    /** Fills passages with whole sentences; a sentence that is longer than a passage is cut between words. */
    private static void cut(String paragraph, List<String> passages) {
        var sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
        sentences.setText(paragraph);
        int start = 0;
        int end = 0;
        for (int next = sentences.next(); next != BreakIterator.DONE; next = sentences.next()) {
            if (next - start > MAX_LENGTH && end > start) {
                add(paragraph.substring(start, end), passages);
                start = end;
            }
            while (next - start > MAX_LENGTH) {
                int space = lastSpace(paragraph, start + 1, start + MAX_LENGTH);
                int stop = space >= 0 ? space : wholeCharacters(paragraph, start + MAX_LENGTH);
                add(paragraph.substring(start, stop), passages);
                start = stop;
            }
            end = next;
        }
        add(paragraph.substring(start), passages);
    }

    private static int lastSpace(String text, int from, int to) {
        int at = to;
        while (at >= from && text.charAt(at) != ' ') {
            at--;
        }
        return at >= from ? at : -1;
    }

    private static int wholeCharacters(String text, int stop) {
        return Character.isLowSurrogate(text.charAt(stop)) ? stop - 1 : stop;
    }

    private static void add(String text, List<String> passages) {
        String passage = text.strip();
        if (!passage.isEmpty()) {
            passages.add(passage);
        }
    }
}

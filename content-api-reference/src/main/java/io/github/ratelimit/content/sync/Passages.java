package io.github.ratelimit.content.sync;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;

/** Cuts documents into passages that are short enough for an answer. */
final class Passages {

    /** Chosen: three or four sentences, what fits a chat bubble. */
    static final int MAX_LENGTH = 500;

    private Passages() {}

    /**
     * Cuts a document.
     *
     * @param content plain text or HTML
     * @return plain text in its order, none of it blank or longer than {@link #MAX_LENGTH}
     */
    static List<String> of(String content) {
        List<String> passages = new ArrayList<>();
        for (String paragraph : withoutMarkup(content).split("\\R")) {
            String text = paragraph.replaceAll("\\s+", " ").strip();
            if (!text.isEmpty()) {
                cut(text, passages);
            }
        }
        return passages;
    }

    private static String withoutMarkup(String content) {
        // The filter puts a line break in the place of each block element. It reads text of any kind without failing.
        try (var reader = new HTMLStripCharFilter(new StringReader(content));
                var text = new StringWriter(content.length())) {
            reader.transferTo(text);
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
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
                int space = paragraph.lastIndexOf(' ', start + MAX_LENGTH);
                int stop = space > start ? space : wholeCharacters(paragraph, start + MAX_LENGTH);
                add(paragraph.substring(start, stop), passages);
                start = stop;
            }
            end = next;
        }
        add(paragraph.substring(start), passages);
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

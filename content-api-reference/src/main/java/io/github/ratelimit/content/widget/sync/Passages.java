package io.github.ratelimit.content.widget.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** Cuts documents into passages that are short enough for an answer. */
final class Passages {
    /** Chosen: three or four sentences. */
    static final int MAX_LENGTH = 500;

    /** Chosen: the longest document has as many of full length; later paragraphs share passages. */
    static final int MANY = 400;

    private static final Pattern PARAGRAPH_END = Pattern.compile("\\R");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?…。])\\s+");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final List<String> passages = new ArrayList<>();
    private final StringBuilder open = new StringBuilder();

    private Passages() {}

    /**
     * Cuts a document.
     *
     * @param content plain text or HTML
     * @return plain text in its order, none of it blank or longer than {@link #MAX_LENGTH}
     */
    static List<String> of(String content) {
        var cut = new Passages();
        for (String paragraph : PARAGRAPH_END.split(text(content))) {
            for (String sentence : SENTENCE_END.split(paragraph.strip())) {
                cut.add(SPACE.matcher(sentence).replaceAll(" "));
            }
            if (cut.passages.size() < MANY) {
                cut.end();
            }
        }
        cut.end();
        return cut.passages;
    }

    /** Adds a sentence; a long one is cut between words, or else anywhere. */
    private void add(String sentence) {
        String rest = sentence;
        while (rest.length() > MAX_LENGTH) {
            end();
            int space = rest.lastIndexOf(' ', MAX_LENGTH);
            int stop = space > 0 ? space : MAX_LENGTH;
            stop -= Character.isLowSurrogate(rest.charAt(stop)) ? 1 : 0;
            open.append(rest, 0, stop);
            rest = rest.substring(stop).strip();
        }
        if (open.length() + 1 + rest.length() > MAX_LENGTH) {
            end();
        }
        open.append(open.isEmpty() || rest.isEmpty() ? "" : " ").append(rest);
    }

    private void end() {
        String passage = open.toString().strip();
        if (!passage.isEmpty()) {
            passages.add(passage);
        }
        open.setLength(0);
    }

    /** Removes markup; a block is a paragraph. */
    private static String text(String content) {
        if (content.indexOf('<') < 0 && content.indexOf('&') < 0) {
            return content;
        }
        Element body = Jsoup.parseBodyFragment(content).body();
        body.getAllElements().stream()
                .filter(Element::isBlock)
                .forEach(block -> block.prependText("\n").appendText("\n"));
        return body.wholeText();
    }
}

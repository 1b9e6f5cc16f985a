package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** What is found in an index of texts is exactly what is found in the texts. */
final class TextRunsTest {
    private static final String FIELD = "text";
    private static final String SIGNS = "abA* \n?\\-. \u00e9\u00e8\u3042\u3043";

    @Test
    void aTextIsFoundWhereAnotherOneHoldsIt() throws IOException {
        Random random = new Random(7);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            texts.add(text(random, random.nextInt(30)));
        }
        List<String> questions = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            questions.add(text(random, 1 + random.nextInt(6)));
        }

        assertFound(texts, questions);
    }

    @Test
    void nothingIsLostWhereALongRunIsCut() throws IOException {
        Random random = new Random(11);
        String run = text(random, 2_000).replaceAll("\\s", "-");
        List<String> texts = List.of(run, "before " + run + " after", run.substring(0, 256), run.substring(0, 257));
        List<String> questions = new ArrayList<>();
        for (int at = 0; at < 1_800; at += 7) {
            questions.add(run.substring(at, at + 1 + random.nextInt(128)));
        }
        questions.add("before " + run.substring(0, 100));
        questions.add(run.substring(1_900) + " after");
        questions.add(run.substring(200, 256) + " after");
        questions.add("before " + run.substring(128, 200));

        assertFound(texts, questions);
    }

    /** Anybody may search, for nine words at a time, each in three places. */
    @Test
    void aQuestionOfOneLetterIsNoWork() {
        for (String letter : List.of("a", "ab", "\u00e9")) {
            String word = letter.repeat(128 / letter.length());
            CpuTime.assertWithin(Duration.ofSeconds(3), letter, () -> {
                for (int i = 0; i < 1_000; i++) {
                    assertThat(ItemTerms.holds(FIELD, word)).isPresent();
                }
            });
        }
    }

    private static void assertFound(List<String> texts, List<String> questions) throws IOException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (String text : texts) {
                Document document = new Document();
                document.add(new TextField(FIELD, new TextRuns(text.toLowerCase(Locale.ROOT))));
                writer.addDocument(document);
            }
            try (DirectoryReader reader = DirectoryReader.open(writer)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (String question : questions) {
                    assertFound(searcher, texts, question);
                }
            }
        }
    }

    private static void assertFound(IndexSearcher searcher, List<String> texts, String question) throws IOException {
        Query query = ItemTerms.holds(FIELD, question).orElse(null);
        if (query == null) {
            assertThat(question)
                    .as("what the index cannot tell")
                    .matches("(?s) .*|.* |.*[ \\n][ \\n].*|.*\\n.*|.{129,}");
            return;
        }
        List<Integer> found = new ArrayList<>();
        for (ScoreDoc hit : searcher.search(query, texts.size()).scoreDocs) {
            found.add(hit.doc);
        }
        List<Integer> holding = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            if (texts.get(i).toLowerCase(Locale.ROOT).contains(question.toLowerCase(Locale.ROOT))) {
                holding.add(i);
            }
        }
        assertThat(found).as("'" + question + "'").containsExactlyInAnyOrderElementsOf(holding);
    }

    private static String text(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(SIGNS.charAt(random.nextInt(SIGNS.length())));
        }
        return text.toString();
    }
}

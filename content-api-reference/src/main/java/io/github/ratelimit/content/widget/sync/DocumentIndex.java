package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.sync.DocumentStore.Sent;
import jakarta.annotation.PostConstruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The full-text index of all documents, passage by passage, in memory. It is filled at startup and updated after each change; changes by other
 * servers appear within seconds. Safe for concurrent use; closed by the application.
 */
@Component
class DocumentIndex implements AutoCloseable {
    private static final String KEY = "key";
    private static final String WORKSPACE = "workspace";
    private static final String ID = "id";
    private static final String TITLE = "title";
    private static final String TEXT = "text";
    private static final String URL = "url";
    // Chosen: a page of the longest documents takes 4 MB.
    private static final int PAGE = 20;
    // Chosen: a longer question is no better, and Lucene bounds the clauses of a query.
    private static final int MAX_TERMS = 64;
    private static final float TITLE_WEIGHT = 2;

    private final DocumentStore store;
    private final Analyzer analyzer = new WordAnalyzer();
    private final QueryBuilder questions = new QueryBuilder(new LimitTokenCountAnalyzer(analyzer, MAX_TERMS));
    private final Map<String, Long> shown = new HashMap<>();
    /** Of the documents that are in the index, by workspace and id. */
    private final Map<String, Map<String, String>> fingerprints = new HashMap<>();

    private final IndexWriter writer;
    private final SearcherManager searchers;

    DocumentIndex(DocumentStore store) throws IOException {
        this.store = store;
        writer = new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig(analyzer));
        searchers = new SearcherManager(writer, null);
    }

    /** Reads the documents that another server changed; at startup all. */
    @PostConstruct
    @Scheduled(fixedDelayString = "PT5S", initialDelayString = "PT5S")
    synchronized void follow() {
        store.revisions().forEach((workspace, revision) -> {
            if (!revision.equals(shown.get(workspace))) {
                read(workspace, changed(workspace));
                shown.put(workspace, revision);
            }
        });
    }

    /** Compares fingerprints, so that only the texts of what changed are read. */
    private Set<String> changed(String workspace) {
        Map<String, String> stored = store.fingerprints(workspace, null);
        Map<String, String> known = fingerprints.getOrDefault(workspace, Map.of());
        Set<String> changed = new HashSet<>(known.keySet());
        changed.removeAll(stored.keySet());
        stored.forEach((id, fingerprint) -> {
            if (!fingerprint.equals(known.get(id))) {
                changed.add(id);
            }
        });
        return changed;
    }

    /**
     * Reads documents again after a change was committed.
     *
     * @param revision the workspace's revision after the change
     * @param ids the changed documents; some may be gone
     */
    synchronized void update(String workspace, long revision, Collection<String> ids) {
        read(workspace, ids);
        // After a gap the next look compares the whole workspace.
        if (shown.getOrDefault(workspace, 0L) == revision - 1) {
            shown.put(workspace, revision);
        }
    }

    private void read(String workspace, Collection<String> ids) {
        Map<String, String> known = fingerprints.computeIfAbsent(workspace, unseen -> new HashMap<>());
        write(() -> {
            List<String> all = List.copyOf(ids);
            for (int from = 0; from < all.size(); from += PAGE) {
                List<String> some = all.subList(from, Math.min(from + PAGE, all.size()));
                for (String id : some) {
                    writer.deleteDocuments(new Term(KEY, key(workspace, id)));
                    known.remove(id);
                }
                for (Document document : store.find(workspace, some)) {
                    put(workspace, document);
                    known.put(document.id(), Sent.of(document).fingerprint());
                }
            }
        });
    }

    private interface Writing {
        void run() throws IOException;
    }

    private void write(Writing writing) {
        try {
            writing.run();
            searchers.maybeRefreshBlocking();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(String workspace, Document document) throws IOException {
        List<String> passages = Passages.of(document.content());
        if (passages.isEmpty()) {
            passages = List.of(document.title());
        }
        List<org.apache.lucene.document.Document> entries = new ArrayList<>();
        for (String passage : passages) {
            var entry = new org.apache.lucene.document.Document();
            entry.add(new StringField(KEY, key(workspace, document.id()), Field.Store.NO));
            entry.add(new StringField(WORKSPACE, workspace, Field.Store.NO));
            entry.add(new StoredField(ID, document.id()));
            entry.add(new TextField(TITLE, document.title(), Field.Store.YES));
            entry.add(new TextField(TEXT, passage, Field.Store.YES));
            if (document.url() != null) {
                entry.add(new StoredField(URL, document.url()));
            }
            entries.add(entry);
        }
        writer.addDocuments(entries);
    }

    private static String key(String workspace, String id) {
        return workspace + '/' + id; // a workspace's id has no slash
    }

    /**
     * Finds the passages that match a question best.
     *
     * @param most the number of passages, 1 or more
     * @return best first, at most one of each document
     */
    List<Passage> search(String workspace, String question, int most) {
        Query query = query(workspace, question);
        if (query == null) {
            return List.of();
        }
        try {
            IndexSearcher searcher = searchers.acquire();
            try {
                return bestOfEachDocument(searcher, query, most);
            } finally {
                searchers.release(searcher);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns null for a question of stop words and punctuation. */
    private @Nullable Query query(String workspace, String question) {
        Query text = questions.createBooleanQuery(TEXT, question);
        Query title = questions.createBooleanQuery(TITLE, question);
        if (text == null || title == null) {
            return null;
        }
        var words = new BooleanQuery.Builder()
                .add(text, Occur.SHOULD)
                .add(new BoostQuery(title, TITLE_WEIGHT), Occur.SHOULD)
                .build();
        return new BooleanQuery.Builder()
                .add(new TermQuery(new Term(WORKSPACE, workspace)), Occur.FILTER)
                .add(words, Occur.MUST)
                .build();
    }

    private static List<Passage> bestOfEachDocument(IndexSearcher searcher, Query query, int most) throws IOException {
        List<Passage> passages = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        // Several passages of one document may lead.
        for (ScoreDoc hit : searcher.search(query, most * 10).scoreDocs) {
            var entry = searcher.storedFields().document(hit.doc);
            if (passages.size() < most && seen.add(entry.get(ID))) {
                passages.add(new Passage(entry.get(ID), entry.get(TITLE), entry.get(URL), entry.get(TEXT)));
            }
        }
        return passages;
    }

    @Override
    public synchronized void close() throws IOException {
        searchers.close();
        writer.rollback();
        analyzer.close();
    }

    /** Words of any language without case and accents; endings and stop words as in English. */
    private static final class WordAnalyzer extends Analyzer {
        private static final CharArraySet STOP_WORDS = stopWords();

        @Override
        protected TokenStreamComponents createComponents(String field) {
            Tokenizer words = new StandardTokenizer();
            TokenStream folded = new ASCIIFoldingFilter(new LowerCaseFilter(words));
            return new TokenStreamComponents(words, new KStemFilter(new StopFilter(folded, STOP_WORDS)));
        }

        /** Also words that questions consist of, and that say nothing about their subject. */
        private static CharArraySet stopWords() {
            var words = new CharArraySet(EnglishAnalyzer.getDefaultStopSet(), true);
            words.addAll(List.of(
                    "about", "am", "any", "can", "could", "did", "do", "does", "from", "get", "give", "go", "had",
                    "has", "have", "hello", "hi", "how", "i", "know", "like", "long", "make", "many", "me", "much",
                    "my", "need", "no", "not", "our", "please", "should", "take", "tell", "thanks", "want", "we",
                    "what", "when", "where", "which", "who", "why", "will", "would", "you", "your"));
            return CharArraySet.unmodifiableSet(words);
        }
    }
}

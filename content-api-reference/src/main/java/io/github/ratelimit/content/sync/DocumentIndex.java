package io.github.ratelimit.content.sync;

import jakarta.annotation.PostConstruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
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
import org.apache.lucene.index.StoredFields;
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
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The full-text index of all workspaces' documents, passage by passage, in memory.
 *
 * <p>The database is the truth; the index knows for each workspace which revision of it it shows. A change that follows
 * on that revision is applied as it is; whenever the numbers do not meet (changes that overtook each other, another
 * server on the same database, a start) the workspace is read anew. So a search never shows an older state than the
 * last change that was acknowledged. Safe for concurrent use; closed by the application.
 */
@Component
class DocumentIndex implements AutoCloseable {

    private static final String KEY = "key";
    private static final String WORKSPACE = "workspace";
    private static final String ID = "id";
    private static final String TITLE = "title";
    private static final String TEXT = "text";
    private static final String URL = "url";

    private static final int PAGE = 500;
    // Chosen: a longer question is no better question, and the number of clauses in a query is bounded.
    private static final int MAX_TERMS = 64;
    private static final float TITLE_WEIGHT = 2;

    private final DocumentStore store;
    private final WorkspaceStore workspaces;
    private final Directory directory = new ByteBuffersDirectory();
    private final Analyzer analyzer = new WordAnalyzer();
    private final QueryBuilder questions = new QueryBuilder(new LimitTokenCountAnalyzer(analyzer, MAX_TERMS));
    private final IndexWriter writer;
    private final SearcherManager searchers;
    private final ReentrantLock writing = new ReentrantLock();
    private final Map<String, Long> revisions = new ConcurrentHashMap<>();

    /**
     * Creates the index with all that the database holds.
     *
     * @param store the documents
     * @param workspaces whose they are
     */
    DocumentIndex(DocumentStore store, WorkspaceStore workspaces) {
        this.store = store;
        this.workspaces = workspaces;
        try {
            writer = new IndexWriter(directory, new IndexWriterConfig(analyzer));
            searchers = new SearcherManager(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException("the search index cannot be opened", e);
        }
    }

    /** Reads all documents of all workspaces. */
    @PostConstruct
    void rebuild() {
        workspaces.ids().forEach(this::catchUp);
    }

    /**
     * Shows a committed change.
     *
     * @param workspace the workspace that changed
     * @param revision the revision that the change made
     * @param stored what was added or replaced
     * @param deleted ids of what is gone
     */
    void apply(String workspace, long revision, List<Document> stored, Collection<String> deleted) {
        writing.lock();
        try {
            long shown = revisions.getOrDefault(workspace, 0L);
            if (shown >= revision) {
                return;
            }
            if (shown < revision - 1) {
                catchUp(workspace);
                return;
            }
            for (String id : deleted) {
                writer.deleteDocuments(new Term(KEY, key(workspace, id)));
            }
            for (Document document : stored) {
                put(workspace, document);
            }
            searchers.maybeRefreshBlocking();
            revisions.put(workspace, revision);
        } catch (IOException e) {
            throw new UncheckedIOException("the search index cannot be written", e);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Finds the passages that match a question best.
     *
     * @param workspace whose documents to look at
     * @param question any text
     * @param most how many passages at most
     * @return best first, at most one of each document
     */
    List<Passage> search(String workspace, String question, int most) {
        if (revisions.getOrDefault(workspace, 0L) < store.revision(workspace)) {
            catchUp(workspace);
        }
        Query query = query(workspace, question);
        if (query == null) {
            return List.of();
        }
        try {
            IndexSearcher searcher = searchers.acquire();
            try {
                // Several passages of one document may lead; ask for enough to meet other documents behind them.
                return bestOfEachDocument(searcher.search(query, most * 10).scoreDocs, searcher.storedFields(), most);
            } finally {
                searchers.release(searcher);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the search index cannot be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        searchers.close();
        writer.close();
        directory.close();
        analyzer.close();
    }

    /**
     * Reads a workspace anew. The revision is read first: what is committed while the documents are read may or may not
     * be among them, and counts as not seen, so that it is applied again.
     */
    private void catchUp(String workspace) {
        writing.lock();
        try {
            long revision = store.revision(workspace);
            if (revisions.getOrDefault(workspace, 0L) >= revision) {
                return;
            }
            writer.deleteDocuments(new Term(WORKSPACE, workspace));
            List<Document> page = store.after(workspace, "", PAGE);
            while (!page.isEmpty()) {
                for (Document document : page) {
                    put(workspace, document);
                }
                page = store.after(workspace, page.get(page.size() - 1).id(), PAGE);
            }
            searchers.maybeRefreshBlocking();
            revisions.put(workspace, revision);
        } catch (IOException e) {
            throw new UncheckedIOException("the search index cannot be written", e);
        } finally {
            writing.unlock();
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
        writer.updateDocuments(new Term(KEY, key(workspace, document.id())), entries);
    }

    private @Nullable Query query(String workspace, String question) {
        Query text = questions.createBooleanQuery(TEXT, question);
        Query title = questions.createBooleanQuery(TITLE, question);
        if (text == null || title == null) {
            return null; // nothing but stop words and punctuation
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

    private static List<Passage> bestOfEachDocument(ScoreDoc[] hits, StoredFields fields, int most) throws IOException {
        List<Passage> passages = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ScoreDoc hit : hits) {
            var entry = fields.document(hit.doc);
            if (passages.size() < most && seen.add(entry.get(ID))) {
                passages.add(new Passage(entry.get(ID), entry.get(TITLE), entry.get(URL), entry.get(TEXT)));
            }
        }
        return passages;
    }

    private static String key(String workspace, String id) {
        return workspace + '/' + id; // a workspace's id has no slash
    }

    /** Words of any language, without case and accents; endings and stop words as in English. */
    private static final class WordAnalyzer extends Analyzer {

        private static final CharArraySet STOP_WORDS = stopWords();

        @Override
        protected TokenStreamComponents createComponents(String field) {
            Tokenizer words = new StandardTokenizer();
            TokenStream folded = new ASCIIFoldingFilter(new LowerCaseFilter(words));
            return new TokenStreamComponents(words, new KStemFilter(new StopFilter(folded, STOP_WORDS)));
        }

        /** Also the words that questions are made of, and that say nothing about what is asked. */
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

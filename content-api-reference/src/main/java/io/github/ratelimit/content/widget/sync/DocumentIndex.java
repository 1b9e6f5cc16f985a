package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.shared.health.IndexState;
import io.github.ratelimit.content.shared.storage.CatchUp;
import io.github.ratelimit.content.shared.storage.IndexFolder;
import io.github.ratelimit.content.widget.api.ApiException;
import jakarta.annotation.PostConstruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The full-text index of all workspaces' documents, passage by passage, in files that last as long as the server.
 *
 * <p>The database is the truth; the index knows for each workspace which revision of it it shows, and reads what changed since, here or on another
 * server. Where more has changed than is remembered, and at the start, the workspace is read anew, by a thread of the index: whoever asks waits for it
 * no longer than for others. So a search never shows an older state than the last change that was acknowledged, but for visitors while their workspace
 * is being read, or waits for another one that is. Else searches of one workspace wait for each other a little and for nobody else's.
 *
 * <p>Safe for concurrent use; closed by the application.
 */
@Component
class DocumentIndex implements AutoCloseable, IndexState {

    private static final Logger log = LoggerFactory.getLogger(DocumentIndex.class);

    private static final String KEY = "key";
    private static final String WORKSPACE = "workspace";
    private static final String ID = "id";
    private static final String TITLE = "title";
    private static final String TEXT = "text";
    private static final String URL = "url";
    /** Every word of a document, as it is written; no stop words are left out of what a site searches. */
    private static final String WORDS = "words";

    private static final String UPDATED = "updated";

    /** No workspace's id. */
    private static final String NOTHING = "";

    /** Nobody asks where in a passage a word stands, nor of what is filtered how often. */
    private static final FieldType FILTERED = indexed(new FieldType(), IndexOptions.DOCS);

    private static final FieldType RANKED = indexed(new FieldType(TextField.TYPE_STORED), IndexOptions.DOCS_AND_FREQS);

    // Chosen: a document may have 200000 characters, and all of a page are in memory at once.
    private static final int PAGE = 20;
    // Chosen: reading a small workspace takes less, and a visitor does not mind.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    // Chosen: some tenths of a second; who asks does not do more for all.
    private static final int MOST_READ_BY_ASKING = 1 << 20;
    // Chosen: of more documents not even the sizes are asked.
    private static final int MOST_CHANGES_BY_ASKING = 500;
    // Chosen: as many as two changes of the most documents; of more it is not worth to know what they are.
    private static final int MOST_CHANGES = 20_000;
    private static final Duration ENDLESS = Duration.ofDays(1);
    // Chosen: a longer question is no better question, and the number of clauses in a query is bounded.
    private static final int MAX_TERMS = 64;
    private static final float TITLE_WEIGHT = 2;

    private final DocumentStore store;
    private final WorkspaceStore workspaces;
    private final Analyzer plain = new PlainAnalyzer();
    private final Analyzer analyzer = new PerFieldAnalyzerWrapper(new WordAnalyzer(), Map.of(WORDS, plain));
    private final QueryBuilder questions = new QueryBuilder(new LimitTokenCountAnalyzer(analyzer, MAX_TERMS));
    private final Path folder;
    private final Map<String, CatchUp> writing = new ConcurrentHashMap<>();
    /** Workspaces that wait for the thread of the index; first those that somebody asks for. */
    private final BlockingDeque<String> left = new LinkedBlockingDeque<>();

    private volatile String reading = NOTHING;
    private volatile Files files;
    private volatile boolean closed;
    private @Nullable Thread reader;

    /**
     * Creates the index, with nothing in it.
     *
     * @param store the documents
     * @param workspaces whose they are
     * @param dataDirectory where its files lie
     */
    DocumentIndex(
            DocumentStore store,
            WorkspaceStore workspaces,
            @Value("${content-api.data-dir:./data}") Path dataDirectory) {
        this.store = store;
        this.workspaces = workspaces;
        this.folder = dataDirectory.resolve("search-index");
        try {
            files = open();
        } catch (IOException e) {
            throw new UncheckedIOException("the search index cannot be opened", e);
        }
    }

    private static FieldType indexed(FieldType type, IndexOptions options) {
        type.setIndexOptions(options);
        type.setOmitNorms(options == IndexOptions.DOCS);
        type.freeze();
        return type;
    }

    /** What the index lies in, and the revision of each workspace that is in it. */
    private static final class Files {
        private final IndexFolder folder;
        private final Map<String, Long> shown = new ConcurrentHashMap<>();
        private volatile boolean hasFailed;

        Files(IndexFolder folder) {
            this.folder = folder;
        }

        IndexWriter writer() {
            return folder.writer();
        }

        long shown(String workspace) {
            return shown.getOrDefault(workspace, 0L);
        }

        void show(String workspace, long revision) throws IOException {
            folder.searchers().maybeRefreshBlocking();
            shown.put(workspace, revision);
        }
    }

    private Files open() throws IOException {
        return new Files(IndexFolder.open(folder, () -> new IndexWriterConfig(analyzer)));
    }

    @Override
    public String indexName() {
        return "documents";
    }

    @Override
    public State indexState() {
        if (files.hasFailed) {
            return State.FAILING;
        }
        return reading.equals(NOTHING) && left.isEmpty() ? State.SHOWN : State.FILLING;
    }

    /** Begins to read all documents; the server does not wait for it. */
    @PostConstruct
    void start() {
        var thread = new Thread(this::readWhatIsLeft, "search-index");
        thread.setDaemon(true);
        reader = thread;
        thread.start();
    }

    private void readWhatIsLeft() {
        try {
            left.addAll(workspaces.ids());
        } catch (RuntimeException e) {
            Causes.requireMemory(e);
            log.warn("the search index reads what it lacks when it is asked for it", e);
        }
        try {
            for (String workspace = left.take(); !closed; workspace = left.take()) {
                reading = workspace;
                read(workspace);
                reading = NOTHING;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads all documents of all workspaces that are not shown as they are, in this thread. */
    void rebuild() {
        workspaces.ids().forEach(this::read);
    }

    private void read(String workspace) {
        try {
            long wanted = store.revision(workspace);
            // Whoever else is at work reads what changed, or leaves it all to this thread.
            work(workspace).until(ENDLESS, () -> isShown(workspace, wanted), () -> follow(workspace, Reading.ALL));
        } catch (ApiException failing) {
            log.debug("the search index could not read a workspace", failing); // it was told once that the files fail
        } catch (RuntimeException | Error e) {
            // A page of a broken disk is an Error; the other workspaces are read all the same.
            Causes.requireMemory(e);
            if (!closed) {
                log.warn("the search index could not read a workspace; it will try again when it is asked", e);
            }
        }
    }

    private CatchUp work(String workspace) {
        return writing.computeIfAbsent(workspace, key -> new CatchUp());
    }

    private boolean isShown(String workspace, long wanted) {
        return files.shown(workspace) >= wanted || closed;
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
        // A visitor is better served by what is there than not at all.
        isUpToDate(workspace);
        Query query = query(workspace, question);
        if (query == null) {
            return List.of();
        }
        // Several passages of one document may lead; ask for enough to meet other documents behind them.
        return look(searcher ->
                bestOfEachDocument(searcher.search(query, most * 10).scoreDocs, searcher.storedFields(), most));
    }

    private interface Look<T> {
        T at(IndexSearcher searcher) throws IOException;
    }

    private <T> T look(Look<T> look) {
        Files read = files;
        try {
            SearcherManager searchers = read.folder.searchers();
            IndexSearcher searcher = searchers.acquire();
            try {
                return look.at(searcher);
            } finally {
                searchers.release(searcher);
            }
        } catch (IOException | AlreadyClosedException e) {
            throw failed(read, e);
        }
    }

    /** Tells whoever met files that fail, as they do on a full disk, to come again. */
    private ApiException failed(Files read, Exception why) {
        if (!read.hasFailed && !closed) {
            read.hasFailed = true;
            log.warn("the search index fails and is made anew as soon as it can be: {}", why.toString());
        }
        return beingRead();
    }

    /** What made the files fail may be over. Whoever asks next reads what the new ones lack. */
    @Scheduled(fixedDelayString = "PT10S", initialDelayString = "PT10S")
    synchronized void renew() {
        if (!files.hasFailed || closed) {
            return;
        }
        try {
            files.folder.close();
            files = open();
        } catch (IOException notNow) {
            log.debug("the files of the search index cannot be opened; will try again", notNow);
        }
    }

    private static ApiException beingRead() {
        return ApiException.of(
                HttpStatus.SERVICE_UNAVAILABLE, "busy", "The workspace's documents are being read. Try again.");
    }

    /**
     * Finds the documents that have all words of a text, in title or content. A word also finds longer ones that begin
     * with it; case, accents and HTML do not count.
     *
     * @param workspace whose documents to look at
     * @param text the words
     * @param updatedAfter only those that changed after this moment; null: all
     * @return the ids in ascending order; empty where the text has no word
     */
    SortedSet<String> idsWith(String workspace, String text, @Nullable Instant updatedAfter) {
        if (!isUpToDate(workspace)) {
            throw beingRead();
        }
        return look(searcher -> {
            SortedSet<String> ids = new TreeSet<>();
            boolean first = true;
            for (String word : words(text)) {
                // Word by word: they may stand in different passages.
                Set<String> having = searcher.search(wordQuery(workspace, word, updatedAfter), new IdsOfHits());
                if (first) {
                    ids.addAll(having);
                } else {
                    ids.retainAll(having);
                }
                first = false;
            }
            return ids;
        });
    }

    private Set<String> words(String text) throws IOException {
        Set<String> words = new LinkedHashSet<>();
        try (TokenStream tokens = plain.tokenStream(WORDS, text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (words.size() < MAX_TERMS && tokens.incrementToken()) {
                words.add(term.toString());
            }
            tokens.end();
        }
        return words;
    }

    private static Query wordQuery(String workspace, String word, @Nullable Instant updatedAfter) {
        var query = new BooleanQuery.Builder()
                .add(new TermQuery(new Term(WORKSPACE, workspace)), Occur.FILTER)
                .add(new PrefixQuery(new Term(WORDS, word)), Occur.FILTER);
        if (updatedAfter != null) {
            // Documents are dated in whole milliseconds.
            query.add(LongPoint.newRangeQuery(UPDATED, updatedAfter.toEpochMilli() + 1, Long.MAX_VALUE), Occur.FILTER);
        }
        return query.build();
    }

    /** Gathers the documents' ids of all hits, whatever their order. */
    private static final class IdsOfHits implements CollectorManager<IdsOfHits.Gathering, Set<String>> {

        private static final class Gathering extends SimpleCollector {
            private final Set<String> found = new HashSet<>();
            private @Nullable SortedDocValues ids;

            @Override
            protected void doSetNextReader(LeafReaderContext part) throws IOException {
                ids = DocValues.getSorted(part.reader(), ID);
            }

            @Override
            public void collect(int entry) throws IOException {
                if (ids != null && ids.advanceExact(entry)) {
                    found.add(ids.lookupOrd(ids.ordValue()).utf8ToString());
                }
            }

            @Override
            public ScoreMode scoreMode() {
                return ScoreMode.COMPLETE_NO_SCORES;
            }
        }

        @Override
        public Gathering newCollector() {
            return new Gathering();
        }

        @Override
        public Set<String> reduce(Collection<Gathering> parts) {
            Set<String> all = new HashSet<>();
            parts.forEach(part -> all.addAll(part.found));
            return all;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        left.addFirst(NOTHING);
        IndexFolder.join(reader);
        synchronized (this) {
            files.folder.close();
        }
        analyzer.close();
        plain.close();
    }

    /** How much of a workspace a thread reads. */
    private enum Reading {
        /** What takes a moment. */
        LITTLE,
        /** What changed. */
        CHANGES,
        /** All of it, where it is not known what changed. */
        ALL
    }

    /**
     * Reads what changed of a workspace since the last look, if that is little, and waits for another thread that reads it.
     *
     * @param workspace which
     * @return whether the index shows all that the database does; not where the other thread took too long
     */
    boolean isUpToDate(String workspace) {
        return isUpToDate(workspace, Reading.LITTLE, PATIENCE);
    }

    /**
     * Reads what changed of a workspace, for whoever asks next. Where that is not known, the thread of the index reads the workspace, and nobody waits
     * for it here.
     *
     * @param workspace in which something was changed by this thread
     */
    void changed(String workspace) {
        isUpToDate(workspace, Reading.CHANGES, Duration.ZERO);
    }

    private boolean isUpToDate(String workspace, Reading most, Duration patience) {
        long wanted = store.revision(workspace);
        CatchUp work = work(workspace);
        // By this thread, or by somebody else who asked before.
        AtomicBoolean isLeft = new AtomicBoolean();
        try {
            work.until(
                    PATIENCE,
                    () -> isShown(workspace, wanted) || isLeft.get() || isLeftToReader(workspace),
                    () -> isLeft.set(!follow(workspace, most)));
        } catch (ApiException failing) {
            return false;
        }
        if (isShown(workspace, wanted)) {
            return true;
        }
        if (!workspace.equals(reading) && (isLeft.get() || left.remove(workspace))) {
            left.addFirst(workspace);
        }
        return work.await(patience, () -> isShown(workspace, wanted));
    }

    private boolean isLeftToReader(String workspace) {
        return workspace.equals(reading) || left.contains(workspace);
    }

    /** Returns false where it is more than this thread is to read. */
    private boolean follow(String workspace, Reading most) {
        // The same to the end: what others made anew meanwhile has none of it.
        Files written = files;
        long shown = written.shown(workspace);
        List<DocumentStore.Change> next = store.changesAfter(workspace, shown, MOST_CHANGES);
        try {
            // A workspace without a revision has no document: what changed after that is all of it.
            if (next.isEmpty() || next.get(0).revision() != shown + 1 || next.size() == MOST_CHANGES) {
                if (most != Reading.ALL) {
                    return false;
                }
                readAll(written, workspace);
                return true;
            }
            List<String> ids =
                    next.stream().map(DocumentStore.Change::document).distinct().toList();
            if (most == Reading.LITTLE
                    && (ids.size() > MOST_CHANGES_BY_ASKING || store.size(workspace, ids) > MOST_READ_BY_ASKING)) {
                return false;
            }
            for (int from = 0; from < ids.size() && !closed; from += PAGE) {
                List<String> some = ids.subList(from, Math.min(from + PAGE, ids.size()));
                for (String id : some) {
                    written.writer().deleteDocuments(new Term(KEY, key(workspace, id)));
                }
                for (Document document : store.findAll(workspace, some)) {
                    put(written, workspace, document);
                }
            }
            written.show(workspace, next.get(next.size() - 1).revision());
            return true;
        } catch (IOException | AlreadyClosedException e) {
            throw failed(written, e);
        }
    }

    /**
     * The revision is read first: what is committed while the documents are read may or may not be among them, and counts as not seen, so that it is
     * read again.
     */
    private void readAll(Files written, String workspace) throws IOException {
        long revision = store.revision(workspace);
        written.writer().deleteDocuments(new Term(WORKSPACE, workspace));
        List<Document> page = store.after(workspace, "", PAGE);
        while (!page.isEmpty() && !closed) {
            for (Document document : page) {
                put(written, workspace, document);
            }
            page = store.after(workspace, page.get(page.size() - 1).id(), PAGE);
        }
        written.show(workspace, revision);
    }

    /** Adds a document, of which nothing is there: to look for what it takes the place of costs much where nothing does. */
    private static void put(Files written, String workspace, Document document) throws IOException {
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
            entry.add(new SortedDocValuesField(ID, new BytesRef(document.id())));
            entry.add(new LongPoint(UPDATED, document.updatedAt().toEpochMilli()));
            entry.add(new Field(WORDS, entries.isEmpty() ? document.title() + ' ' + passage : passage, FILTERED));
            entry.add(new Field(TITLE, document.title(), RANKED));
            entry.add(new Field(TEXT, passage, RANKED));
            if (document.url() != null) {
                entry.add(new StoredField(URL, document.url()));
            }
            entries.add(entry);
        }
        written.writer().addDocuments(entries);
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

    /** Words of any language, without case and accents. */
    private static final class PlainAnalyzer extends Analyzer {

        @Override
        protected TokenStreamComponents createComponents(String field) {
            Tokenizer words = new StandardTokenizer();
            return new TokenStreamComponents(words, new ASCIIFoldingFilter(new LowerCaseFilter(words)));
        }
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

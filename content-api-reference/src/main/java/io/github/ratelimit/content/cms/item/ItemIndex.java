package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.shared.health.IndexState;
import io.github.ratelimit.content.shared.storage.CatchUp;
import io.github.ratelimit.content.shared.storage.IndexFolder;
import jakarta.annotation.PostConstruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The index of posts, pages and files: finds and counts what a list asks for, whatever the conditions, without reading any
 * item.
 *
 * <p>The database is the truth. Before each answer the index asks {@link ItemLog} what changed, here or on another server, and
 * reads just that, so it never shows an older state than the database does. Its files last as long as the server; while
 * they are being filled after a start, the database answers. Safe for concurrent use; closed by the application.
 */
@Component
public class ItemIndex implements AutoCloseable, IndexState {
    private static final Logger log = LoggerFactory.getLogger(ItemIndex.class);

    /** Chosen: texts of a million letters each are in memory at once. */
    private static final int AT_ONCE = 20;

    /** Chosen: so many changes are read in about a tenth of a second. */
    private static final int MOST_CHANGES = 1_000;

    /** Chosen: as long as a statement may take. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(1);

    private static final long NOTHING = -1;

    /** The order that nearly all lists have: what is kept in it is read to the end of the page, and no further. */
    private static final Sort NEWEST_FIRST =
            new Sort(IndexedColumn.PUBLISHED_AT.order(false), IndexedColumn.ID.order(false));

    private final ItemLog changes;
    private final ItemDocuments documents;
    private final Path folder;
    private volatile IndexFolder files;
    private final CatchUp writing = new CatchUp();
    /** The last revision that is in the index, or {@link #NOTHING} while it is being filled. */
    private volatile long shown = NOTHING;

    private volatile PublicAuthors publicAuthors = new PublicAuthors(NOTHING, Set.of());
    private volatile Publications publications = new Publications(NOTHING, 0, List.of());
    private volatile boolean isBroken;

    /** Whether the database could not tell what there is. */
    private volatile boolean isUnread;

    /** Whether something that would fail again failed. */
    private volatile boolean isGivenUp;

    private volatile boolean isClosed;
    private volatile @Nullable Thread filling;

    ItemIndex(ItemLog changes, ItemDocuments documents, CmsSettings settings) {
        this.changes = changes;
        this.documents = documents;
        this.folder = settings.dataDir().resolve("item-index");
        try {
            files = open();
        } catch (IOException e) {
            throw new UncheckedIOException("the index of items cannot be opened", e);
        }
    }

    private IndexFolder open() throws IOException {
        return IndexFolder.open(folder, () -> new IndexWriterConfig().setIndexSort(NEWEST_FIRST));
    }

    /**
     * What was found.
     *
     * @param ids of one page, in the order that was asked for
     * @param total of all pages
     */
    record Found(List<Long> ids, long total) {}

    @Override
    public String indexName() {
        return "items";
    }

    @Override
    public State indexState() {
        if (isBroken || isUnread || isGivenUp) {
            return State.FAILING;
        }
        return shown == NOTHING ? State.FILLING : State.SHOWN;
    }

    /** Begins to read all items; the server does not wait for it. */
    @PostConstruct
    void start() {
        Thread thread = new Thread(this::fill, "item-index");
        thread.setDaemon(true);
        filling = thread;
        thread.start();
    }

    /** Keeps up where nobody asks. */
    @Scheduled(fixedDelayString = "${content-api.publish-interval:1s}")
    void keepUp() {
        try {
            isUpToDate();
        } catch (DataAccessException notNow) {
            log.debug("the index of items could not follow the database; will try again", notNow);
        }
    }

    /**
     * What made the files or the database fail may be over, such as a full disk. An item that cannot be indexed would fail again. A fill that is
     * under way is not waited for: other tasks need this thread.
     */
    @Scheduled(fixedDelayString = "PT10S", initialDelayString = "PT10S")
    synchronized void renew() {
        Thread last = filling;
        boolean isFilling = last != null && last.isAlive();
        if ((isBroken || isUnread) && !isFilling && !isClosed) {
            start();
        }
    }

    /**
     * Finds one page of a list, and counts the whole.
     *
     * @param query what is asked for
     * @return empty where only the database can tell: of conditions that are not indexed, and while the index is filled
     */
    Optional<Found> find(ItemQuery query) {
        Optional<ItemQuery.Indexed> indexed = query.indexed();
        if (indexed.isEmpty() || !isUpToDate()) {
            return Optional.empty();
        }
        return search(searcher -> find(searcher, indexed.get(), query.offset(), query.limit()));
    }

    /**
     * Finds the files that belong to some items.
     *
     * @param owners what these are like
     * @return ids of the files; empty where only the database can tell
     */
    Optional<List<Long>> filesOf(Condition owners) {
        if (owners.indexed().isEmpty() || !isUpToDate()) {
            return Optional.empty();
        }
        return search(searcher -> {
            List<Long> ids = ids(searcher, owners.indexed().get());
            return ids(
                    searcher,
                    ItemTerms.all(List.of(
                            ItemTerms.is(IndexedColumn.TYPE.field(), ItemType.ATTACHMENT.wireName()),
                            LongPoint.newSetQuery(IndexedColumn.PARENT_ID.field(), ids))));
        });
    }

    private static List<Long> ids(IndexSearcher searcher, Query query) throws IOException {
        int count = searcher.count(query);
        Sort order = new Sort(IndexedColumn.ID.order(true));
        return count == 0
                ? List.of()
                : Arrays.stream(page(searcher, query, order, 0, count, false).scoreDocs)
                        .map(ItemIndex::id)
                        .toList();
    }

    /**
     * Counts the published posts that terms sort.
     *
     * @param taxonomy of the terms
     * @param terms their ids
     * @return by id; empty where only the database can tell
     */
    Optional<Map<Long, Long>> published(Taxonomy taxonomy, Collection<Long> terms) {
        if (!isUpToDate()) {
            return Optional.empty();
        }
        return search(searcher -> {
            Map<Long, Long> counts = new HashMap<>();
            for (long id : terms) {
                String term = ItemTerms.term(taxonomy.wireName(), id);
                counts.put(id, (long) searcher.count(ItemTerms.is(ItemTerms.PUBLISHED_TERM, term)));
            }
            return counts;
        });
    }

    /**
     * Lists the authors of published posts and pages. Looks at all of these, but only after something changed.
     *
     * @return their ids; empty where only the database can tell
     */
    Optional<Set<Long>> publicAuthors() {
        if (!isUpToDate()) {
            return Optional.empty();
        }
        long revision = shown;
        PublicAuthors known = publicAuthors;
        if (known.revision() == revision) {
            return Optional.of(known.ids());
        }
        List<Query> types = ItemType.written().stream()
                .map(type -> ItemTerms.is(IndexedColumn.TYPE.field(), type.wireName()))
                .toList();
        Query published = ItemTerms.all(List.of(
                ItemTerms.any(types), ItemTerms.is(IndexedColumn.STATUS.field(), ItemStatus.PUBLISH.wireName())));
        Optional<Set<Long>> found =
                search(searcher -> searcher.search(published, new NumbersOfHits(IndexedColumn.AUTHOR_ID.field())));
        // What was found may be newer than the revision, never older.
        found.ifPresent(ids -> publicAuthors = new PublicAuthors(revision, ids));
        return found;
    }

    /**
     * Tells when posts were published. Looks at all of these, but only after something changed.
     *
     * @param most how many, the newest first
     * @return as {@link ItemTerms#micros} counts; empty where only the database can tell
     */
    Optional<List<Long>> publications(int most) {
        if (!isUpToDate()) {
            return Optional.empty();
        }
        long revision = shown;
        Publications known = publications;
        if (known.revision() == revision && known.most() == most) {
            return Optional.of(known.moments());
        }
        Query published = ItemTerms.all(List.of(
                ItemTerms.is(IndexedColumn.TYPE.field(), ItemType.POST.wireName()),
                ItemTerms.is(IndexedColumn.STATUS.field(), ItemStatus.PUBLISH.wireName())));
        Sort newest = new Sort(IndexedColumn.PUBLISHED_AT.order(false));
        Optional<List<Long>> found =
                search(searcher -> Arrays.stream(page(searcher, published, newest, 0, most, false).scoreDocs)
                        .map(ItemIndex::id)
                        .toList());
        found.ifPresent(moments -> publications = new Publications(revision, most, moments));
        return found;
    }

    /** When the newest posts at a revision were published. */
    private record Publications(long revision, int most, List<Long> moments) {}

    /** Who they were at a revision. */
    private record PublicAuthors(long revision, Set<Long> ids) {}

    private static Found find(IndexSearcher searcher, ItemQuery.Indexed query, long offset, long limit)
            throws IOException {
        long total = searcher.count(query.counted());
        if (offset >= total) {
            return new Found(List.of(), total);
        }
        List<Long> ids = new ArrayList<>();
        long skipped = offset;
        int left = query.parts().size();
        for (Query part : query.parts()) {
            left--;
            if (ids.size() >= limit) {
                break;
            }
            int there = searcher.getIndexReader().maxDoc();
            TopDocs page = page(
                    searcher,
                    part,
                    query.order(),
                    Math.min(skipped, there),
                    Math.min(limit - ids.size(), there),
                    left > 0);
            for (ScoreDoc found : page.scoreDocs) {
                ids.add(id(found));
            }
            skipped = Math.max(0, skipped - page.totalHits.value);
        }
        return new Found(ids, total);
    }

    /**
     * What comes before a page is put in order, but never made into results: that would take longer than all else. Unless all are to be counted, what
     * cannot be on the page is passed over as soon as enough is known that comes before it.
     */
    private static TopDocs page(
            IndexSearcher searcher, Query query, Sort order, long skipped, long most, boolean isCounted)
            throws IOException {
        int last = (int) Math.min(Integer.MAX_VALUE, Math.max(1, skipped + most));
        var all = new TopFieldCollectorManager(order, last, null, isCounted ? Integer.MAX_VALUE : last);
        return searcher.search(query, new CollectorManager<TopFieldCollector, TopDocs>() {
            @Override
            public TopFieldCollector newCollector() {
                return all.newCollector();
            }

            @Override
            public TopDocs reduce(Collection<TopFieldCollector> collectors) {
                // One, as this searcher searches with one thread.
                return collectors.iterator().next().topDocs((int) skipped, (int) most);
            }
        });
    }

    /** Every order ends with the id. */
    private static long id(ScoreDoc found) {
        Object[] keys = ((FieldDoc) found).fields;
        return (Long) keys[keys.length - 1];
    }

    private interface Look<T> {
        T at(IndexSearcher searcher) throws IOException;
    }

    private <T> Optional<T> search(Look<T> look) {
        try {
            SearcherManager searchers = files.searchers();
            IndexSearcher searcher = searchers.acquire();
            try {
                return Optional.of(look.at(searcher));
            } finally {
                searchers.release(searcher);
            }
        } catch (IndexSearcher.TooManyClauses e) {
            // Each condition is short enough, all together are not. The index is in order.
            log.debug("a question is too long for the index of items", e);
            return Optional.empty();
        } catch (IOException | AlreadyClosedException e) {
            giveUp(e);
            return Optional.empty();
        }
    }

    /**
     * Reads what changed since the last look.
     *
     * @return whether the index shows all that the database does
     */
    public boolean isUpToDate() {
        if (shown == NOTHING) {
            return false;
        }
        long wanted = changes.revision();
        return writing.until(PATIENCE, () -> shown == NOTHING || shown >= wanted, this::follow) && shown != NOTHING;
    }

    private void follow() {
        long from = shown;
        List<ItemLog.Change> next = changes.after(from, MOST_CHANGES);
        // The last revision may have more changes than were read: it is read again.
        long last =
                next.isEmpty() ? from : next.get(next.size() - 1).revision() - (next.size() == MOST_CHANGES ? 1 : 0);
        if (last <= from || next.get(0).revision() != from + 1) {
            log.info("more has changed since the last look than is remembered: the index of items is filled anew");
            forget();
            start();
            return;
        }
        try {
            write(next.stream()
                    .filter(change -> change.revision() <= last)
                    .map(ItemLog.Change::item)
                    .collect(Collectors.toCollection(TreeSet::new))
                    .stream()
                    .toList());
            files.searchers().maybeRefreshBlocking();
            shown = last;
        } catch (DataAccessException notNow) {
            throw notNow; // the database could not tell what changed, nor could it tell anything else
        } catch (IOException | RuntimeException e) {
            giveUp(e); // an item that cannot be indexed must not keep the others from everybody
        }
    }

    /** Lets the database answer until all items were read anew. */
    void forget() {
        shown = NOTHING;
    }

    /** The database can answer, if slowly. */
    private void giveUp(Exception reason) {
        Causes.requireMemory(reason);
        shown = NOTHING;
        if (isClosed) {
            return;
        }
        if (IndexFolder.isOfFiles(reason)) {
            isBroken = true;
            log.warn(
                    "the index of items fails and is made anew as soon as it can be, lists take longer: {}",
                    reason.toString());
        } else {
            isGivenUp = true;
            log.warn("the index of items fails: lists and searches take longer until the next start", reason);
        }
    }

    /** Reads all items. What changes meanwhile has a later revision, and is read again by the next look. */
    public void fill() {
        AtomicBoolean isDone = new AtomicBoolean();
        writing.until(AS_LONG_AS_IT_TAKES, isDone::get, () -> {
            readAll();
            isDone.set(true);
        });
    }

    private void readAll() {
        try {
            if (isBroken) {
                shown = NOTHING;
                files.close();
                files = open();
                isBroken = false;
            }
            long revision = changes.revision();
            // The database answers: what is left is to wait for.
            isUnread = false;
            isGivenUp = false;
            files.writer().deleteAll();
            List<Long> ids = documents.idsAfter(0, AT_ONCE);
            while (!ids.isEmpty() && !isClosed) {
                write(ids);
                ids = documents.idsAfter(ids.get(ids.size() - 1), AT_ONCE);
            }
            files.searchers().maybeRefreshBlocking();
            shown = isClosed ? NOTHING : revision;
        } catch (DataAccessException notNow) {
            Causes.requireMemory(notNow);
            isUnread = true;
            log.warn("the index of items waits for the database, lists take longer: {}", notNow.toString());
        } catch (IOException | RuntimeException e) {
            giveUp(e);
        }
    }

    private void write(List<Long> ids) throws IOException {
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + AT_ONCE));
            Map<Long, Document> found = documents.of(some);
            for (long id : some) {
                Term key = new Term(IndexedColumn.ID.field(), Long.toString(id));
                Document document = found.get(id);
                if (document == null) {
                    files.writer().deleteDocuments(key);
                } else {
                    files.writer().updateDocument(key, document);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        shown = NOTHING;
        synchronized (this) {
            IndexFolder.join(filling);
            files.close();
        }
    }
}

package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.container.AnswerBudget;
import io.github.ratelimit.content.shared.container.UnavailableException;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The documents of workspaces, stored and searched. A change is whole or not at all, and is found by a search as soon
 * as the call returns. Safe for concurrent use; changes of one workspace wait for each other.
 */
@Service
public class Documents {

    // Chosen: keeps a statement's list of ids well below what every database takes.
    private static final int CHUNK = 500;

    /** What a document has at most: title, content and address. */
    private static final int LONGEST = 500 + 200_000 + 2_000;

    private final InstantSource clock;
    private final DocumentStore store;
    private final DocumentIndex index;
    private final TransactionOperations transactions;
    private final AnswerBudget budget;
    private final WidgetSettings.Sync settings;

    /**
     * Creates the service.
     *
     * @param clock dates the changes
     * @param store keeps the documents
     * @param index finds them
     * @param transactions make a change whole
     * @param budget what is shown counts in it
     * @param settings how much a workspace may keep
     */
    Documents(
            InstantSource clock,
            DocumentStore store,
            DocumentIndex index,
            TransactionOperations transactions,
            AnswerBudget budget,
            WidgetSettings settings) {
        this.clock = clock;
        this.store = store;
        this.index = index;
        this.transactions = transactions;
        this.budget = budget;
        this.settings = settings.sync();
    }

    /**
     * Adds or replaces documents.
     *
     * @param workspace the workspace's id
     * @param drafts what to store; of several with one id, the last counts
     * @return what was done
     */
    public SyncResult upsert(String workspace, List<DocumentDraft> drafts) {
        return change(workspace, () -> {
            Written written = write(workspace, drafts);
            requireRoom(workspace, written);
            return written;
        });
    }

    /**
     * Makes a workspace's documents exactly these: adds and replaces, and deletes all others.
     *
     * @param workspace the workspace's id
     * @param drafts the whole set; of several with one id, the last counts
     * @return what was done
     */
    public SyncResult reconcile(String workspace, List<DocumentDraft> drafts) {
        return change(workspace, () -> {
            Written written = write(workspace, drafts);
            Set<String> obsolete = new HashSet<>(store.ids(workspace));
            drafts.forEach(draft -> obsolete.remove(draft.id()));
            inChunks(obsolete, chunk -> store.delete(workspace, chunk));
            requireRoom(workspace, written);
            var result = written.result();
            Set<String> changed = new HashSet<>(written.changed());
            changed.addAll(obsolete);
            return new Written(
                    new SyncResult(result.created(), result.updated(), result.unchanged(), obsolete.size()),
                    changed,
                    written.growth());
        });
    }

    /**
     * Deletes documents; what is not there is not missed.
     *
     * @param workspace the workspace's id
     * @param ids the documents' ids
     * @return what was done
     */
    public SyncResult delete(String workspace, Collection<String> ids) {
        return change(workspace, () -> {
            Set<String> found = new LinkedHashSet<>();
            inChunks(new LinkedHashSet<>(ids), chunk -> {
                found.addAll(store.known(workspace, chunk).keySet());
                store.delete(workspace, chunk);
            });
            return new Written(new SyncResult(0, 0, 0, found.size()), found, 0);
        });
    }

    /**
     * Finds a document.
     *
     * @param workspace the workspace's id
     * @param id the document's id
     * @return the document; empty where the workspace has none of that id
     */
    public Optional<Document> find(String workspace, String id) {
        return store.find(workspace, id);
    }

    /**
     * Lists documents by id.
     *
     * @param workspace the workspace's id
     * @param wanted which documents
     * @param slice which part of them
     * @return the part
     */
    Listing<Document> list(String workspace, DocumentFilter wanted, Slice slice) {
        if (wanted.search().isEmpty()) {
            List<DocumentStore.Unread> page =
                    store.page(workspace, wanted.updatedAfter(), slice.offset(), slice.perPage());
            long size = page.stream().mapToLong(DocumentStore.Unread::size).sum();
            List<String> shown = page.stream().map(DocumentStore.Unread::id).toList();
            return slice.listing(findAll(workspace, shown, size), store.count(workspace, wanted.updatedAfter()));
        }
        SortedSet<String> ids = index.idsWith(workspace, wanted.search(), wanted.updatedAfter());
        List<String> shown =
                ids.stream().skip(slice.offset()).limit(slice.perPage()).toList();
        return slice.listing(findAll(workspace, shown, store.size(workspace, shown)), ids.size());
    }

    /** In the order of the ids; counted before they are read, as a page of them may be twenty million characters long. */
    private List<Document> findAll(String workspace, List<String> ids, long size) {
        budget.takeAnyLength(size);
        Map<String, Document> found =
                store.findAll(workspace, ids).stream().collect(Collectors.toMap(Document::id, Function.identity()));
        return ids.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /**
     * Tells how often a workspace's documents were changed.
     *
     * @param workspace the workspace's id
     * @return grows with every change
     */
    long revision(String workspace) {
        return store.revision(workspace);
    }

    /**
     * Counts what a reader of {@link #after} has in memory at a time, until the request of this thread ends.
     *
     * @param workspace the workspace's id
     * @param most how many documents it reads at a time
     * @throws UnavailableException if the memory does not suffice at the moment
     */
    public void count(String workspace, int most) {
        budget.takeAnyLength(Math.min(store.kept(workspace).size(), (long) most * LONGEST));
    }

    /**
     * Lists documents by id, from one that was seen. What they take of the memory is not counted here.
     *
     * @param workspace the workspace's id
     * @param id the last id that was seen; empty at first
     * @param most how many
     * @return the next documents; empty behind the last
     */
    public List<Document> after(String workspace, String id, int most) {
        return store.after(workspace, id, most);
    }

    /**
     * Finds the passages that match a question best.
     *
     * @param workspace the workspace's id
     * @param question any text
     * @param most how many passages at most, 1 or more
     * @return best first, at most one of each document; empty where nothing matches
     */
    public List<Passage> search(String workspace, String question, int most) {
        return index.search(workspace, question, most);
    }

    private SyncResult change(String workspace, Supplier<Written> work) {
        SyncResult result = Objects.requireNonNull(transactions.execute(status -> {
            long revision = store.nextRevision(workspace);
            Written written = work.get();
            store.changed(workspace, revision, written.changed());
            return written.result();
        }));
        // Now, so that the next search does not have to. Within a transaction of the caller's nothing is committed yet.
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            index.changed(workspace);
        }
        return result;
    }

    private Written write(String workspace, List<DocumentDraft> drafts) {
        Map<String, DocumentDraft> wanted = new LinkedHashMap<>();
        drafts.forEach(draft -> wanted.put(draft.id(), draft));
        // Without their texts: few bytes may name many long documents.
        Map<String, DocumentStore.Known> present = new HashMap<>();
        inChunks(wanted.keySet(), chunk -> present.putAll(store.known(workspace, chunk)));

        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        List<Document> created = new ArrayList<>();
        List<Document> updated = new ArrayList<>();
        long growth = 0;
        for (DocumentDraft draft : wanted.values()) {
            DocumentStore.Known before = present.get(draft.id());
            Document after = new Document(
                    draft.id(),
                    draft.title() == null ? "" : draft.title(),
                    draft.content() == null ? "" : draft.content(),
                    draft.url(),
                    before == null ? now : before.createdAt(),
                    now);
            if (before == null) {
                created.add(after);
                growth += DocumentStore.size(after);
            } else if (!isSameText(workspace, before, after)) {
                updated.add(after);
                growth += DocumentStore.size(after) - before.size();
            }
        }
        store.insert(workspace, created);
        store.update(workspace, updated);

        Set<String> changed = new HashSet<>();
        created.forEach(document -> changed.add(document.id()));
        updated.forEach(document -> changed.add(document.id()));
        int unchanged = wanted.size() - changed.size();
        return new Written(new SyncResult(created.size(), updated.size(), unchanged, 0), changed, growth);
    }

    private boolean isSameText(String workspace, DocumentStore.Known before, Document after) {
        if (before.fingerprint() != null) {
            return before.fingerprint().equals(DocumentStore.fingerprint(after));
        }
        return store.find(workspace, after.id())
                .filter(stored -> stored.title().equals(after.title())
                        && stored.content().equals(after.content())
                        && Objects.equals(stored.url(), after.url()))
                .isPresent();
    }

    /** What only becomes less is always taken: whoever has too much must be able to get rid of it. */
    private void requireRoom(String workspace, Written written) {
        if (written.result().created() == 0 && written.growth() <= 0) {
            return;
        }
        DocumentStore.Kept kept = store.kept(workspace);
        if (kept.documents() > settings.maxDocuments()) {
            throw full("A workspace keeps at most " + settings.maxDocuments() + " documents. Delete some first.");
        }
        if (kept.size() > settings.maxSize().toBytes()) {
            throw full("The documents of a workspace have at most "
                    + settings.maxSize().toBytes() + " characters together. Delete some first.");
        }
    }

    private static ApiException full(String message) {
        return ApiException.of(HttpStatus.CONTENT_TOO_LARGE, "quota_exceeded", message);
    }

    private static void inChunks(Set<String> ids, Consumer<List<String>> work) {
        List<String> all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += CHUNK) {
            work.accept(all.subList(from, Math.min(from + CHUNK, all.size())));
        }
    }

    private record Written(SyncResult result, Set<String> changed, long growth) {}
}

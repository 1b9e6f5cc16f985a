package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.content.widget.sync.DocumentStore.Sent;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The documents of workspaces, stored and searched. A change is atomic, and searches find it before its answer is given. Safe for concurrent
 * use; changes of one workspace wait for each other.
 */
@Service
public class Documents {
    /** The number of documents that a write created, updated, left unchanged and deleted. */
    public record Result(int created, int updated, int unchanged, int deleted) {}

    /** One page of a workspace's documents, by id; {@code page} counts from 1. */
    record Page(List<Document> items, int page, int perPage, long total, long totalPages) {}

    // Chosen: one answer takes some 20 MB of memory at most.
    private static final int MAX_PAGE_SIZE = 4_000_000;

    private final InstantSource clock;
    private final DocumentStore store;
    private final DocumentIndex index;
    private final TransactionOperations transactions;
    private final WidgetSettings.Sync settings;

    Documents(
            InstantSource clock,
            DocumentStore store,
            DocumentIndex index,
            TransactionOperations transactions,
            WidgetSettings settings) {
        this.clock = clock;
        this.store = store;
        this.index = index;
        this.transactions = transactions;
        this.settings = settings.sync();
    }

    /**
     * Adds or replaces documents.
     *
     * @param workspace the workspace's id
     * @param drafts the documents; of several with one id, the last counts
     * @return the number of changes
     */
    public Result upsert(String workspace, List<DocumentDraft> drafts) {
        Map<String, Sent> sent = sent(drafts);
        return change(workspace, sent, sent.keySet());
    }

    /** Makes a workspace's documents exactly these. */
    Result reconcile(String workspace, List<DocumentDraft> drafts) {
        return change(workspace, sent(drafts), null);
    }

    /** Deletes those documents that exist. */
    Result delete(String workspace, Collection<String> ids) {
        return change(workspace, Map.of(), Set.copyOf(ids));
    }

    Optional<Document> find(String workspace, String id) {
        return store.find(workspace, List.of(id)).stream().findFirst();
    }

    /** Lists documents by id. */
    Page list(String workspace, int page, int perPage) {
        int offset = (page - 1) * perPage;
        if (store.sizeOfPage(workspace, offset, perPage) > MAX_PAGE_SIZE) {
            throw ApiException.of(
                    HttpStatus.CONTENT_TOO_LARGE, "too_large", "The page is too long. Ask for fewer documents.");
        }
        long total = store.kept(workspace).documents();
        return new Page(store.page(workspace, offset, perPage), page, perPage, total, (total + perPage - 1) / perPage);
    }

    /**
     * Finds the passages that match a question best.
     *
     * @param workspace the workspace's id
     * @param question any text
     * @param most the number of passages, 1 or more
     * @return best first, at most one of each document
     */
    public List<Passage> search(String workspace, String question, int most) {
        return index.search(workspace, question, most);
    }

    /**
     * Makes those of some documents that were sent as they were sent, and deletes the others. Other writers wait for the database only: what
     * was sent is prepared before, and the index follows after.
     *
     * @param among the ids of all these documents; null: all of the workspace
     */
    private Result change(String workspace, Map<String, Sent> sent, @Nullable Set<String> among) {
        Changed changed = Objects.requireNonNull(transactions.execute(status -> changeStored(workspace, sent, among)));
        if (!changed.ids().isEmpty()) {
            afterTransaction(() -> index.update(workspace, changed.revision(), changed.ids()));
        }
        return changed.result();
    }

    /** At once, unless the caller has begun a transaction around the change. */
    private static void afterTransaction(Runnable work) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            work.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                work.run();
            }
        });
    }

    private Map<String, Sent> sent(List<DocumentDraft> drafts) {
        OffsetDateTime now = clock.instant().truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
        Map<String, Sent> sent = new LinkedHashMap<>();
        for (DocumentDraft draft : drafts) {
            String title = Objects.requireNonNullElse(draft.title(), "");
            String content = Objects.requireNonNullElse(draft.content(), "");
            sent.put(draft.id(), Sent.of(new Document(draft.id(), title, content, draft.url(), now, now)));
        }
        return sent;
    }

    /** What a transaction has changed. */
    private record Changed(Result result, long revision, Set<String> ids) {}

    private Changed changeStored(String workspace, Map<String, Sent> sent, @Nullable Set<String> among) {
        long revision = store.lock(workspace);
        Map<String, String> present = store.fingerprints(workspace, among);
        List<Sent> created = new ArrayList<>();
        List<Sent> updated = new ArrayList<>();
        Set<String> ids = new HashSet<>(present.keySet());
        ids.removeAll(sent.keySet());
        List<String> obsolete = List.copyOf(ids);
        sent.forEach((id, one) -> {
            String before = present.get(id);
            if (!one.fingerprint().equals(before)) {
                (before == null ? created : updated).add(one);
                ids.add(id);
            }
        });
        if (!ids.isEmpty()) {
            DocumentStore.Kept before = store.kept(workspace);
            store.insert(workspace, created);
            store.update(workspace, updated);
            store.delete(workspace, obsolete);
            requireRoom(before, store.kept(workspace));
            store.setRevision(workspace, ++revision);
        }
        int unchanged = sent.size() - created.size() - updated.size();
        return new Changed(new Result(created.size(), updated.size(), unchanged, obsolete.size()), revision, ids);
    }

    /** A change that makes the workspace smaller always passes. */
    private void requireRoom(DocumentStore.Kept before, DocumentStore.Kept after) {
        if (after.documents() > Math.max(settings.maxDocuments(), before.documents())) {
            throw full("A workspace keeps at most " + settings.maxDocuments() + " documents. Delete some first.");
        }
        long most = settings.maxSize().toBytes();
        if (after.size() > Math.max(most, before.size())) {
            throw full(
                    "The documents of a workspace have at most " + most + " characters together. Delete some first.");
        }
    }

    private static ApiException full(String message) {
        return ApiException.of(HttpStatus.CONTENT_TOO_LARGE, "quota_exceeded", message);
    }
}

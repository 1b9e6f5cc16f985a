package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
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
 * The documents of workspaces, stored and searched. A change is atomic, and searches find it as soon as its transaction has ended. Safe for
 * concurrent use; changes of one workspace wait for each other.
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
        return change(workspace, drafts, List.of());
    }

    /** Makes a workspace's documents exactly these. */
    Result reconcile(String workspace, List<DocumentDraft> drafts) {
        return change(workspace, drafts, null);
    }

    /** Deletes those documents that exist. */
    Result delete(String workspace, Collection<String> ids) {
        return change(workspace, List.of(), ids);
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

    /** Stores and deletes documents; without {@code unwanted}, deletes all that are not among the drafts. */
    private Result change(String workspace, List<DocumentDraft> drafts, @Nullable Collection<String> unwanted) {
        return Objects.requireNonNull(transactions.execute(status -> {
            long revision = store.nextRevision(workspace);
            DocumentStore.Kept before = store.kept(workspace);
            Set<String> changed = new HashSet<>();
            Result stored = write(workspace, drafts, changed);
            Set<String> obsolete = obsolete(workspace, drafts, unwanted);
            store.delete(workspace, obsolete);
            requireRoom(before, store.kept(workspace));
            changed.addAll(obsolete);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    index.update(workspace, revision, changed);
                }
            });
            return new Result(stored.created(), stored.updated(), stored.unchanged(), obsolete.size());
        }));
    }

    private Set<String> obsolete(String workspace, List<DocumentDraft> drafts, @Nullable Collection<String> unwanted) {
        if (unwanted != null) {
            return store.fingerprints(workspace, Set.copyOf(unwanted)).keySet();
        }
        Set<String> obsolete = new HashSet<>(store.ids(workspace));
        drafts.forEach(draft -> obsolete.remove(draft.id()));
        return obsolete;
    }

    private Result write(String workspace, List<DocumentDraft> drafts, Set<String> changed) {
        OffsetDateTime now = clock.instant().truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
        Map<String, Document> wanted = new LinkedHashMap<>();
        for (DocumentDraft draft : drafts) {
            String title = Objects.requireNonNullElse(draft.title(), "");
            String content = Objects.requireNonNullElse(draft.content(), "");
            wanted.put(draft.id(), new Document(draft.id(), title, content, draft.url(), now, now));
        }
        Map<String, String> present = store.fingerprints(workspace, wanted.keySet());
        List<Document> created = new ArrayList<>();
        List<Document> updated = new ArrayList<>();
        for (Document document : wanted.values()) {
            String before = present.get(document.id());
            if (before == null) {
                created.add(document);
            } else if (!before.equals(DocumentStore.fingerprint(document))) {
                updated.add(document);
            }
        }
        store.insert(workspace, created);
        store.update(workspace, updated);
        created.forEach(document -> changed.add(document.id()));
        updated.forEach(document -> changed.add(document.id()));
        return new Result(created.size(), updated.size(), wanted.size() - changed.size(), 0);
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

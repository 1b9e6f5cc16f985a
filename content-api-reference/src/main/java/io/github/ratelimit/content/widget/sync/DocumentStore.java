package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.server.store.Sha256;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Documents in the database. Writes need a transaction that began with {@link #lock}. */
@Repository
class DocumentStore {
    // Chosen: far below the longest list that any database takes.
    private static final int CHUNK = 500;
    /** With the names of the members that they become: for each other name the driver would throw, and Spring would ask again. */
    private static final String COLUMNS = "id, title, content, url, created_at createdAt, updated_at updatedAt";
    /** With pairs, H2 looks up each id; otherwise it reads all documents of the workspace. */
    private static final String AMONG = "(workspace_id, id) in (:keys)";

    private static final String PAGE = " from sync_document where workspace_id = :workspace order by workspace_id, id"
            + " offset :offset rows fetch next :limit rows only";

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations batches;

    DocumentStore(JdbcClient jdbc, NamedParameterJdbcOperations batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /** Begins a change, and returns the revision before it. Other changes of the workspace wait until the transaction ends. */
    long lock(String workspace) {
        return jdbc.sql("select revision from sync_workspace where id = :workspace for update")
                .param("workspace", workspace)
                .query(Long.class)
                .single();
    }

    void setRevision(String workspace, long revision) {
        jdbc.sql("update sync_workspace set revision = :revision where id = :workspace")
                .param("revision", revision)
                .param("workspace", workspace)
                .update();
    }

    /** Returns the revision of each workspace. */
    Map<String, Long> revisions() {
        Map<String, Long> revisions = new HashMap<>();
        jdbc.sql("select id, revision from sync_workspace")
                .query((RowCallbackHandler) row -> revisions.put(row.getString(1), row.getLong(2)));
        return revisions;
    }

    List<Document> find(String workspace, Collection<String> ids) {
        List<Document> found = new ArrayList<>();
        inChunks(
                ids,
                chunk -> found.addAll(jdbc.sql("select " + COLUMNS + " from sync_document where " + AMONG)
                        .param("keys", keys(workspace, chunk))
                        .query(Document.class)
                        .list()));
        return found;
    }

    /** Lists documents by id. */
    List<Document> page(String workspace, int offset, int limit) {
        return jdbc.sql("select " + COLUMNS + PAGE)
                .param("workspace", workspace)
                .param("offset", offset)
                .param("limit", limit)
                .query(Document.class)
                .list();
    }

    /** Counts the characters of a page without reading its texts. */
    long sizeOfPage(String workspace, int offset, int limit) {
        return jdbc.sql("select coalesce(sum(size), 0) from (select size" + PAGE + ") page")
                .param("workspace", workspace)
                .param("offset", offset)
                .param("limit", limit)
                .query(Long.class)
                .single();
    }

    /** The size of a workspace: number of documents, and characters of all. */
    record Kept(long documents, long size) {}

    Kept kept(String workspace) {
        return jdbc.sql("select count(*) as documents, coalesce(sum(size), 0) as size from sync_document"
                        + " where workspace_id = :workspace")
                .param("workspace", workspace)
                .query(Kept.class)
                .single();
    }

    /** Returns the fingerprints of those documents that exist, by id; without ids, of all. */
    Map<String, String> fingerprints(String workspace, @Nullable Collection<String> ids) {
        Map<String, String> found = new HashMap<>();
        RowCallbackHandler put = row -> found.put(row.getString(1), row.getString(2));
        String fingerprints = "select id, fingerprint from sync_document where ";
        if (ids == null) {
            jdbc.sql(fingerprints + "workspace_id = :workspace")
                    .param("workspace", workspace)
                    .query(put);
        } else {
            inChunks(
                    ids,
                    chunk -> jdbc.sql(fingerprints + AMONG)
                            .param("keys", keys(workspace, chunk))
                            .query(put));
        }
        return found;
    }

    void insert(String workspace, List<Sent> documents) {
        batch("""
                insert into sync_document (workspace_id, id, title, content, url, size, fingerprint, created_at, updated_at)
                values (:workspace, :id, :title, :content, :url, :size, :fingerprint, :created, :updated)""", workspace, documents);
    }

    void update(String workspace, List<Sent> documents) {
        batch("""
                update sync_document set title = :title, content = :content, url = :url, size = :size,
                    fingerprint = :fingerprint, updated_at = :updated
                where workspace_id = :workspace and id = :id""", workspace, documents);
    }

    void delete(String workspace, Collection<String> ids) {
        inChunks(
                ids,
                chunk -> jdbc.sql("delete from sync_document where " + AMONG)
                        .param("keys", keys(workspace, chunk))
                        .update());
    }

    /**
     * A document that was sent.
     *
     * @param fingerprint changes with title, content and address
     */
    record Sent(Document document, String fingerprint) {
        static Sent of(Document document) {
            // Stored texts have no NUL.
            return new Sent(document, Sha256.of(document.title() + '\0' + document.content() + '\0' + document.url()));
        }
    }

    private void batch(String sql, String workspace, List<Sent> documents) {
        batches.batchUpdate(
                sql,
                documents.stream()
                        .map(sent -> new MapSqlParameterSource("workspace", workspace)
                                .addValue("id", sent.document().id())
                                .addValue("title", sent.document().title())
                                .addValue("content", sent.document().content())
                                .addValue("url", sent.document().url())
                                .addValue("size", sent.document().size())
                                .addValue("fingerprint", sent.fingerprint())
                                .addValue("created", sent.document().createdAt())
                                .addValue("updated", sent.document().updatedAt()))
                        .toArray(SqlParameterSource[]::new));
    }

    private static List<Object[]> keys(String workspace, Collection<String> ids) {
        return ids.stream().map(id -> new Object[] {workspace, id}).toList();
    }

    private static void inChunks(Collection<String> ids, Consumer<List<String>> work) {
        List<String> all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += CHUNK) {
            work.accept(all.subList(from, Math.min(from + CHUNK, all.size())));
        }
    }
}

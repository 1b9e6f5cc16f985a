package io.github.ratelimit.content.widget.sync;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Documents in the database. Writes need a transaction that began with {@link #nextRevision}, and tell at its end which documents they changed.
 */
@Repository
class DocumentStore {

    /** Chosen: who is further behind reads all documents, which takes hardly longer. */
    private static final int REMEMBERED = 100;

    private static final String COLUMNS = "id, title, content, url, created_at, updated_at";

    /** Like the orders that name the workspace: otherwise the embedded database looks at all documents of it, and not at those that are wanted. */
    private static final String AMONG = "(workspace_id, id) in (:keys)";

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations batches;

    DocumentStore(JdbcClient jdbc, NamedParameterJdbcOperations batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /**
     * Begins a change: counts the workspace's revision up and, by holding its row until the transaction ends, keeps
     * every other change of the workspace waiting.
     */
    long nextRevision(String workspace) {
        jdbc.sql("update sync_workspace set revision = revision + 1 where id = :workspace")
                .param("workspace", workspace)
                .update();
        return revision(workspace);
    }

    long revision(String workspace) {
        return jdbc.sql("select revision from sync_workspace where id = :workspace")
                .param("workspace", workspace)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /** A changed document, which may be gone. */
    record Change(long revision, String document) {}

    /** Ends a change: notes what it changed. A change of nothing is noted too, as no revision may be missing. */
    void changed(String workspace, long revision, Collection<String> ids) {
        Collection<String> noted = ids.isEmpty() ? Set.of("") : Set.copyOf(ids);
        SqlParameterSource[] rows = noted.stream()
                .map(id -> new MapSqlParameterSource("workspace", workspace)
                        .addValue("revision", revision)
                        .addValue("id", id))
                .toArray(SqlParameterSource[]::new);
        batches.batchUpdate(
                "insert into sync_change (workspace_id, revision, document_id) values (:workspace, :revision, :id)",
                rows);
        jdbc.sql("delete from sync_change where workspace_id = :workspace and revision <= :old")
                .param("workspace", workspace)
                .param("old", revision - REMEMBERED)
                .update();
    }

    /** Lists what changed after a revision, in the order of the revisions; the first one is missing where too much has changed. */
    List<Change> changesAfter(String workspace, long revision, int most) {
        return jdbc.sql("select revision, document_id from sync_change"
                        + " where workspace_id = :workspace and revision > :revision order by revision"
                        + " fetch first :most rows only")
                .param("workspace", workspace)
                .param("revision", revision)
                .param("most", most)
                .query((row, number) -> new Change(row.getLong(1), row.getString(2)))
                .list();
    }

    List<Document> findAll(String workspace, Collection<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        return jdbc.sql("select " + COLUMNS + " from sync_document where " + AMONG)
                .param("keys", keys(workspace, ids))
                .query(DocumentStore::document)
                .list();
    }

    Optional<Document> find(String workspace, String id) {
        return findAll(workspace, List.of(id)).stream().findFirst();
    }

    /** A document that is not read yet, with how many characters it has. */
    record Unread(String id, int size) {}

    /** Lists a page, without reading any text. */
    List<Unread> page(String workspace, @Nullable Instant updatedAfter, int offset, int limit) {
        return of(
                        workspace,
                        updatedAfter,
                        "id, size",
                        " order by workspace_id, id offset :offset rows fetch next :limit rows only")
                .param("offset", offset)
                .param("limit", limit)
                .query((row, number) -> new Unread(row.getString(1), row.getInt(2)))
                .list();
    }

    /** Tells how many characters documents have together, without reading them; the embedded database goes through an index of the workspace. */
    long size(String workspace, Collection<String> ids) {
        return ids.isEmpty()
                ? 0
                : jdbc.sql("select coalesce(sum(size), 0) from sync_document where " + AMONG)
                        .param("keys", keys(workspace, ids))
                        .query(Long.class)
                        .single();
    }

    /** Pages by the last id seen, so that a long list costs the same on its last page as on its first. */
    List<Document> after(String workspace, String id, int limit) {
        return jdbc.sql("select " + COLUMNS
                        + " from sync_document where workspace_id = :workspace and id > :id order by workspace_id, id"
                        + " fetch first :limit rows only")
                .param("workspace", workspace)
                .param("id", id)
                .param("limit", limit)
                .query(DocumentStore::document)
                .list();
    }

    /** What is known of a stored document without reading its text. */
    record Known(Instant createdAt, int size, @Nullable String fingerprint) {}

    Map<String, Known> known(String workspace, Collection<String> ids) {
        Map<String, Known> known = new HashMap<>();
        if (!ids.isEmpty()) {
            jdbc.sql("select id, created_at, size, fingerprint from sync_document where " + AMONG)
                    .param("keys", keys(workspace, ids))
                    .query(row -> {
                        known.put(
                                row.getString("id"),
                                new Known(
                                        row.getObject("created_at", OffsetDateTime.class)
                                                .toInstant(),
                                        row.getInt("size"),
                                        row.getString("fingerprint")));
                    });
        }
        return known;
    }

    /** How much a workspace keeps. */
    record Kept(long documents, long size) {}

    Kept kept(String workspace) {
        return jdbc.sql("select count(*) as documents, coalesce(sum(size), 0) as size from sync_document"
                        + " where workspace_id = :workspace")
                .param("workspace", workspace)
                .query((row, number) -> new Kept(row.getLong("documents"), row.getLong("size")))
                .single();
    }

    static int size(Document document) {
        return document.title().length()
                + document.content().length()
                + (document.url() == null ? 0 : document.url().length());
    }

    static String fingerprint(Document document) {
        return Digest.of(document.title(), document.content(), document.url() == null ? "" : "u" + document.url());
    }

    List<String> ids(String workspace) {
        return jdbc.sql("select id from sync_document where workspace_id = :workspace")
                .param("workspace", workspace)
                .query(String.class)
                .list();
    }

    long count(String workspace, @Nullable Instant updatedAfter) {
        return of(workspace, updatedAfter, "count(*)", "").query(Long.class).single();
    }

    private static List<Object[]> keys(String workspace, Collection<String> ids) {
        return ids.stream().map(id -> new Object[] {workspace, id}).toList();
    }

    private JdbcClient.StatementSpec of(String workspace, @Nullable Instant after, String columns, String rest) {
        String from = "select " + columns + " from sync_document where workspace_id = :workspace";
        return after == null
                ? jdbc.sql(from + rest).param("workspace", workspace)
                : jdbc.sql(from + " and updated_at > :after" + rest)
                        .param("workspace", workspace)
                        .param("after", after.atOffset(ZoneOffset.UTC));
    }

    void insert(String workspace, List<Document> documents) {
        batch("""
                insert into sync_document (workspace_id, id, title, content, url, size, fingerprint, created_at, updated_at)
                values (:workspace, :id, :title, :content, :url, :size, :fingerprint, :created, :updated)""", workspace, documents);
    }

    void update(String workspace, List<Document> documents) {
        batch("""
                update sync_document set title = :title, content = :content, url = :url, size = :size,
                    fingerprint = :fingerprint, updated_at = :updated
                where workspace_id = :workspace and id = :id""", workspace, documents);
    }

    void delete(String workspace, Collection<String> ids) {
        if (!ids.isEmpty()) {
            jdbc.sql("delete from sync_document where " + AMONG)
                    .param("keys", keys(workspace, ids))
                    .update();
        }
    }

    private void batch(String sql, String workspace, List<Document> documents) {
        if (documents.isEmpty()) {
            return;
        }
        SqlParameterSource[] rows = documents.stream()
                .map(document -> new MapSqlParameterSource("workspace", workspace)
                        .addValue("id", document.id())
                        .addValue("title", document.title())
                        .addValue("content", document.content())
                        .addValue("url", document.url())
                        .addValue("size", size(document))
                        .addValue("fingerprint", fingerprint(document))
                        .addValue("created", document.createdAt().atOffset(ZoneOffset.UTC))
                        .addValue("updated", document.updatedAt().atOffset(ZoneOffset.UTC)))
                .toArray(SqlParameterSource[]::new);
        batches.batchUpdate(sql, rows);
    }

    private static Document document(ResultSet row, int number) throws SQLException {
        return new Document(
                row.getString("id"),
                row.getString("title"),
                row.getString("content"),
                row.getString("url"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("updated_at", OffsetDateTime.class).toInstant());
    }
}

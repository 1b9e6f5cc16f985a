package io.github.ratelimit.content.sync;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Workspaces and the hashes of their tokens. Safe for concurrent use. */
@Repository
class WorkspaceStore {

    private final JdbcClient jdbc;

    WorkspaceStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds a workspace unless it is there; two servers that start at once may both try. */
    void addIfMissing(String id, Instant now) {
        if (exists(id)) {
            return;
        }
        try {
            jdbc.sql("insert into sync_workspace (id, revision, created_at) values (:id, 0, :now)")
                    .param("id", id)
                    .param("now", now.atOffset(ZoneOffset.UTC))
                    .update();
        } catch (DuplicateKeyException e) {
            // The other one was faster: the workspace is there, which is all that was wanted.
            return;
        }
    }

    boolean exists(String id) {
        return jdbc.sql("select count(*) from sync_workspace where id = :id")
                        .param("id", id)
                        .query(Long.class)
                        .single()
                > 0;
    }

    Optional<String> oldest() {
        return jdbc.sql("select id from sync_workspace order by created_at, id fetch first 1 rows only")
                .query(String.class)
                .optional();
    }

    List<String> ids() {
        return jdbc.sql("select id from sync_workspace order by id")
                .query(String.class)
                .list();
    }

    /** Adds a token unless it is there; two servers that start at once may both try. */
    void addToken(WorkspaceToken token, TokenHash hash, Instant now) {
        try {
            insert(token, hash, now);
        } catch (DuplicateKeyException e) {
            // The other one was faster: the token is there, which is all that was wanted.
            return;
        }
    }

    private void insert(WorkspaceToken token, TokenHash hash, Instant now) {
        jdbc.sql("""
                        insert into sync_workspace_token (id, workspace_id, fingerprint, hash, created_at)
                        values (:id, :workspace, :fingerprint, :hash, :now)""")
                .param("id", token.id())
                .param("workspace", token.workspaceId())
                .param("fingerprint", hash.fingerprint())
                .param("hash", hash.hexadecimal())
                .param("now", now.atOffset(ZoneOffset.UTC))
                .update();
    }

    List<StoredToken> candidates(TokenHash hash) {
        return jdbc.sql("select id, workspace_id, hash from sync_workspace_token where fingerprint = :fingerprint")
                .param("fingerprint", hash.fingerprint())
                .query((row, number) -> new StoredToken(
                        new WorkspaceToken(row.getString("id"), row.getString("workspace_id")),
                        new TokenHash(row.getString("hash"))))
                .list();
    }

    record StoredToken(WorkspaceToken token, TokenHash hash) {}
}

package io.github.ratelimit.content.widget.sync;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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
    void addToken(WorkspaceToken token, TokenHash hash, boolean configured, Instant now) {
        try {
            insert(token, hash, configured, now);
        } catch (DuplicateKeyException e) {
            // The other one was faster: the token is there, which is all that was wanted.
            return;
        }
    }

    private void insert(WorkspaceToken token, TokenHash hash, boolean configured, Instant now) {
        jdbc.sql("""
                        insert into sync_workspace_token
                            (id, token_id, workspace_id, fingerprint, hash, configured, created_at)
                        values (:id, :token, :workspace, :fingerprint, :hash, :configured, :now)""")
                .param("id", UUID.randomUUID().toString())
                .param("token", token.id())
                .param("configured", configured)
                .param("workspace", token.workspaceId())
                .param("fingerprint", hash.fingerprint())
                .param("hash", hash.hexadecimal())
                .param("now", now.atOffset(ZoneOffset.UTC))
                .update();
    }

    List<StoredToken> candidates(TokenHash hash) {
        return jdbc.sql("select token_id, workspace_id, hash, expires_at from sync_workspace_token"
                        + " where fingerprint = :fingerprint")
                .param("fingerprint", hash.fingerprint())
                .query((row, number) -> new StoredToken(
                        new WorkspaceToken(row.getString("token_id"), row.getString("workspace_id")),
                        new TokenHash(row.getString("hash")),
                        moment(row.getObject("expires_at", OffsetDateTime.class))))
                .list();
    }

    record StoredToken(
            WorkspaceToken token, TokenHash hash, @Nullable Instant expiresAt) {

        boolean isValid(Instant now) {
            return expiresAt == null || now.isBefore(expiresAt);
        }
    }

    /** Keeps every other change of the workspace's tokens waiting until the transaction ends. */
    void lock(String workspace) {
        jdbc.sql("select id from sync_workspace where id = :workspace for update")
                .param("workspace", workspace)
                .query(String.class)
                .optional();
    }

    /** Returns the tokens that have a secret without an end, each once, oldest secret first. */
    List<TokenSummary> tokens(String workspace) {
        return jdbc.sql("select token_id, created_at from sync_workspace_token"
                        + " where workspace_id = :workspace and expires_at is null order by created_at, id")
                .param("workspace", workspace)
                .query((row, number) -> new TokenSummary(
                        row.getString("token_id"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        false))
                .list();
    }

    /** Puts a new secret in place of a token's. The one before it lasts until {@code end}, those before that no longer. */
    void replaceSecret(WorkspaceToken token, TokenHash hash, Instant now, Instant end) {
        jdbc.sql("update sync_workspace_token set expires_at = :now where workspace_id = :workspace"
                        + " and token_id = :token and expires_at > :now")
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("workspace", token.workspaceId())
                .param("token", token.id())
                .update();
        jdbc.sql("update sync_workspace_token set expires_at = :end where workspace_id = :workspace"
                        + " and token_id = :token and expires_at is null")
                .param("end", end.atOffset(ZoneOffset.UTC))
                .param("workspace", token.workspaceId())
                .param("token", token.id())
                .update();
        forgetEnded(token, now);
        insert(token, hash, false, now);
    }

    void endToken(WorkspaceToken token, Instant now) {
        jdbc.sql("update sync_workspace_token set expires_at = :now where workspace_id = :workspace"
                        + " and token_id = :token and (expires_at is null or expires_at > :now)")
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("workspace", token.workspaceId())
                .param("token", token.id())
                .update();
        forgetEnded(token, now);
    }

    private void forgetEnded(WorkspaceToken token, Instant now) {
        jdbc.sql("delete from sync_workspace_token where workspace_id = :workspace and token_id = :token"
                        + " and not configured and expires_at <= :now")
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("workspace", token.workspaceId())
                .param("token", token.id())
                .update();
    }

    private static @Nullable Instant moment(@Nullable OffsetDateTime value) {
        return value == null ? null : value.toInstant();
    }
}

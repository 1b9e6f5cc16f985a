package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.server.store.Sha256;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.stereotype.Repository;

/** Workspaces and their tokens. Safe for concurrent use. */
@Repository
public class Workspaces {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final Base64StringKeyGenerator random =
            new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), 32);

    /**
     * Creates the service.
     *
     * @param clock dates new workspaces
     * @param jdbc the database
     */
    Workspaces(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
    }

    /**
     * Issues a new token for a workspace, which is made if it is missing.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @return the token; only its hash is stored
     * @throws IllegalArgumentException if the id does not fit
     */
    public String issueToken(String id) {
        String token = "cms_" + random.generateKey();
        accept(id, token);
        return token;
    }

    /**
     * Makes a workspace and a token for it if they are missing.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the workspace's token
     * @throws IllegalArgumentException if the id does not fit, or the token belongs to another workspace
     */
    public void accept(String id, String token) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "workspace id must be 1 to 64 letters, digits, '.', '_' and '-', was '" + id + "'");
        }
        if (token.isBlank() || !token.equals(token.strip())) {
            throw new IllegalArgumentException(
                    "token of workspace '" + id + "' must not be blank nor begin or end with white space");
        }
        if (!exists(id)) {
            insert("insert into sync_workspace (id, revision, created_at) values (:id, 0, :now)", id, "", "");
        }
        Optional<Token> known = authenticate(token);
        if (known.isEmpty()) {
            insert(
                    "insert into sync_workspace_token (id, workspace_id, hash, created_at) values (:token, :id, :hash, :now)",
                    id,
                    UUID.randomUUID().toString(),
                    Sha256.of(token));
        } else if (!known.get().workspaceId().equals(id)) {
            throw new IllegalArgumentException("token of workspace '" + id + "' belongs to workspace '"
                    + known.get().workspaceId() + "' already; give each workspace its own");
        }
    }

    private boolean exists(String id) {
        return jdbc.sql("select id from sync_workspace where id = :id")
                .param("id", id)
                .query(String.class)
                .optional()
                .isPresent();
    }

    private void insert(String sql, String id, String token, String hash) {
        OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
        try {
            jdbc.sql(sql)
                    .param("id", id)
                    .param("token", token)
                    .param("hash", hash)
                    .param("now", now)
                    .update();
        } catch (DuplicateKeyException e) {
            return; // another server that starts at the same moment was faster
        }
    }

    /**
     * Finds the workspace of a token. The database compares hashes, so its time tells nothing about a secret.
     *
     * @param token as a caller sent it
     * @return empty for an unknown token
     */
    public Optional<Token> authenticate(String token) {
        return jdbc.sql("select id, workspace_id workspaceId from sync_workspace_token where hash = :hash")
                .param("hash", Sha256.of(token))
                .query(Token.class)
                .optional();
    }

    /**
     * Finds the workspace of a widget that names none.
     *
     * @return the oldest workspace; empty if there is none
     */
    public Optional<String> defaultId() {
        return jdbc.sql("select id from sync_workspace order by created_at, id fetch first 1 rows only")
                .query(String.class)
                .optional();
    }

    /**
     * The caller of a verified workspace token.
     *
     * @param id the token's id, which is not secret: the key of the limiter {@code cms-plugin}
     * @param workspaceId the token's workspace
     */
    public record Token(String id, String workspaceId) {

        /** The request attribute with the {@linkplain #id() id} of a verified token. */
        public static final String KEY_ATTRIBUTE = "workspace-token";
    }
}

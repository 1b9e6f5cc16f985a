package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Workspaces and who may speak for them. Safe for concurrent use. */
@Service
public class Workspaces {

    private static final Logger log = LoggerFactory.getLogger(Workspaces.class);

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int TOKEN_BYTES = 32;

    private final InstantSource clock;
    private final WorkspaceStore store;
    private final TransactionOperations transactions;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates the service.
     *
     * @param clock dates what is made
     * @param store keeps it
     * @param transactions make a change whole
     */
    Workspaces(InstantSource clock, WorkspaceStore store, TransactionOperations transactions) {
        this.clock = clock;
        this.store = store;
        this.transactions = transactions;
    }

    /**
     * Issues a new token for a workspace, which is made where it is missing.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @return the token; it is not stored and cannot be shown again
     * @throws IllegalArgumentException if the id does not fit
     */
    public String issueToken(String id) {
        String token = newSecret();
        accept(id, token, false);
        return token;
    }

    private String newSecret() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return "cms_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Makes a workspace and a token for it where they are missing; what is there stays, and what was revoked stays
     * revoked.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the token that speaks for the workspace
     * @throws IllegalArgumentException if the id does not fit, or the token speaks for another workspace already
     */
    public void accept(String id, String token) {
        accept(id, token, true);
    }

    private void accept(String id, String token, boolean configured) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "workspace id must be 1 to 64 letters, digits, '.', '_' and '-', was '" + id + "'");
        }
        if (token.isBlank() || !token.equals(token.strip())) {
            throw new IllegalArgumentException(
                    "token of workspace '" + id + "' must not be blank nor begin or end with white space");
        }
        Instant now = now();
        store.addIfMissing(id, now);
        Optional<WorkspaceStore.StoredToken> known = find(token);
        if (known.isEmpty()) {
            var added = new WorkspaceToken(UUID.randomUUID().toString(), id);
            store.addToken(added, TokenHash.of(token), configured, now);
            return;
        }
        String owner = known.get().token().workspaceId();
        if (!owner.equals(id)) {
            throw new IllegalArgumentException("token of workspace '" + id + "' belongs to workspace '" + owner
                    + "' already; give each workspace its own");
        }
        if (!known.get().isValid(now)) {
            log.warn("the configured token of workspace '{}' was revoked or rotated and is not accepted again", id);
        }
    }

    /** Returns the workspace's tokens, without their secrets. */
    List<TokenSummary> tokens(WorkspaceToken caller) {
        return store.tokens(caller.workspaceId()).stream()
                .map(token -> new TokenSummary(
                        token.id(), token.createdAt(), token.id().equals(caller.id())))
                .toList();
    }

    /**
     * Gives a token a new secret. It stays the same token: whoever rotates gains no second budget.
     *
     * @param caller the token
     * @param presented its secret as it was sent
     * @param overlap for how long the secret before it is still accepted
     * @return the new secret; it is not stored and cannot be shown again
     */
    String rotate(WorkspaceToken caller, String presented, Duration overlap) {
        String secret = newSecret();
        Instant now = now();
        transactions.executeWithoutResult(status -> {
            lock(caller, presented);
            store.replaceSecret(caller, TokenHash.of(secret), now, now.plus(overlap));
        });
        return secret;
    }

    /**
     * Takes a token back: from now on it opens nothing. Of several, any; never the last one, behind which nobody could
     * ask for another.
     *
     * @param caller who asks
     * @param presented the caller's secret as it was sent
     * @param id the token's id
     */
    void revoke(WorkspaceToken caller, String presented, String id) {
        transactions.executeWithoutResult(status -> {
            lock(caller, presented);
            List<TokenSummary> tokens = store.tokens(caller.workspaceId());
            if (tokens.stream().noneMatch(token -> token.id().equals(id))) {
                throw ApiException.notFound("The workspace has no such token.");
            }
            if (tokens.size() == 1) {
                throw ApiException.of(
                        HttpStatus.CONFLICT, "last_token", "It is the workspace's last token. Rotate it instead.");
            }
            store.endToken(new WorkspaceToken(id, caller.workspaceId()), now());
        });
    }

    /**
     * Keeps other changes waiting, and asks once more whether the caller may make one: who stole a secret could take the token over in the
     * moment in which its owner rotates it.
     */
    private void lock(WorkspaceToken caller, String presented) {
        store.lock(caller.workspaceId());
        if (authenticate(presented).isEmpty()) {
            throw ApiException.unauthorized("The token was rotated or revoked meanwhile.");
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Finds the workspace that a token speaks for. Compares in constant time.
     *
     * @param token as sent by a caller
     * @return the proof; empty where no such token was issued, or it was revoked
     */
    public Optional<WorkspaceToken> authenticate(String token) {
        return find(token).filter(found -> found.isValid(clock.instant())).map(WorkspaceStore.StoredToken::token);
    }

    private Optional<WorkspaceStore.StoredToken> find(String token) {
        TokenHash hash = TokenHash.of(token);
        WorkspaceStore.StoredToken found = null;
        for (WorkspaceStore.StoredToken candidate : store.candidates(hash)) {
            if (candidate.hash().matches(hash)) {
                found = candidate;
            }
        }
        return Optional.ofNullable(found);
    }

    /**
     * Finds the workspace that a widget belongs to which names none.
     *
     * @return the oldest workspace; empty where there is none
     */
    public Optional<String> defaultId() {
        return store.oldest();
    }

    /**
     * Tells whether there is such a workspace.
     *
     * @param id any text
     * @return true if there is
     */
    public boolean exists(String id) {
        return store.exists(id);
    }
}

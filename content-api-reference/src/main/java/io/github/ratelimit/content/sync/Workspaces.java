package io.github.ratelimit.content.sync;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.stereotype.Service;

/** Workspaces and who may speak for them. Safe for concurrent use. */
@Service
public class Workspaces {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int TOKEN_BYTES = 32;

    private final InstantSource clock;
    private final WorkspaceStore store;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates the service.
     *
     * @param clock dates what is made
     * @param store keeps it
     */
    Workspaces(InstantSource clock, WorkspaceStore store) {
        this.clock = clock;
        this.store = store;
    }

    /**
     * Issues a new token for a workspace, which is made where it is missing.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @return the token; it is not stored and cannot be shown again
     * @throws IllegalArgumentException if the id does not fit
     */
    public String issueToken(String id) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = "cms_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        accept(id, token);
        return token;
    }

    /**
     * Makes a workspace and a token for it where they are missing; what is there stays.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the token that speaks for the workspace
     * @throws IllegalArgumentException if the id does not fit, or the token speaks for another workspace already
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
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        store.addIfMissing(id, now);
        Optional<WorkspaceToken> known = authenticate(token);
        if (known.isEmpty()) {
            store.addToken(new WorkspaceToken(UUID.randomUUID().toString(), id), TokenHash.of(token), now);
        } else if (!known.get().workspaceId().equals(id)) {
            throw new IllegalArgumentException("token of workspace '" + id + "' belongs to workspace '"
                    + known.get().workspaceId() + "' already; give each workspace its own");
        }
    }

    /**
     * Finds the workspace that a token speaks for. Compares in constant time.
     *
     * @param token as sent by a caller
     * @return the proof; empty where no such token was issued
     */
    public Optional<WorkspaceToken> authenticate(String token) {
        TokenHash hash = TokenHash.of(token);
        WorkspaceToken found = null;
        for (WorkspaceStore.StoredToken candidate : store.candidates(hash)) {
            if (candidate.hash().matches(hash)) {
                found = candidate.token();
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

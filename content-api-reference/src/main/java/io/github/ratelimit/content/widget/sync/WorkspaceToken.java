package io.github.ratelimit.content.widget.sync;

/**
 * Proof that a caller holds a workspace's API token.
 *
 * @param id the token's id, which is not secret: what the {@code cms-plugin} limiter counts by
 * @param workspaceId the workspace that the token speaks for
 */
public record WorkspaceToken(String id, String workspaceId) {

    /** The request attribute that holds the {@linkplain #id() id} of a valid token. */
    public static final String KEY_ATTRIBUTE = "workspace-token";
}

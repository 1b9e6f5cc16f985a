package io.github.ratelimit.content.widget.sync;

/**
 * The caller of a verified workspace token.
 *
 * @param id the token's id, which is not secret: the key of the limiter {@code cms-plugin}
 * @param workspaceId the token's workspace
 */
public record WorkspaceToken(String id, String workspaceId) {

    /** The request attribute with the {@linkplain #id() id} of a verified token. */
    public static final String KEY_ATTRIBUTE = "workspace-token";
}

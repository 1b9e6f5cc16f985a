package io.github.ratelimit.content.widget.sync;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Workspaces that exist from the start.
 *
 * @param workspaces made at start where missing, never overwritten
 */
@ConfigurationProperties("content-api.provision")
record WorkspaceProperties(@Nullable List<Workspace> workspaces) {

    /**
     * A workspace and a token that speaks for it.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the API token of the site's plugin; best 32 random characters or more
     */
    record Workspace(@Nullable String id, @Nullable String token) {

        /** Does not print the token. */
        @Override
        public String toString() {
            return "Workspace[id=" + id + "]";
        }
    }

    List<Workspace> given() {
        return workspaces == null ? List.of() : workspaces;
    }
}

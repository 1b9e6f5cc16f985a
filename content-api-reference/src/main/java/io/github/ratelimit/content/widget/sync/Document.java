package io.github.ratelimit.content.widget.sync;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A document of a workspace.
 *
 * @param id the site's own id, unique in the workspace
 * @param title plain text, may be empty
 * @param content plain text or HTML
 * @param url where visitors read it
 * @param createdAt when it was first synced
 * @param updatedAt when it last changed
 */
record Document(
        String id,
        String title,
        String content,
        @Nullable String url,
        OffsetDateTime createdAt,
        OffsetDateTime updatedAt) {

    /** Returns the number of characters that count against the workspace's quota. */
    int size() {
        return title.length() + content.length() + (url == null ? 0 : url.length());
    }
}

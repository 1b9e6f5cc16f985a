package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A conversation between a visitor and the assistant.
 *
 * @param id also the id of the visitor's session
 * @param workspaceId the site that the widget named; null for the oldest workspace
 * @param title given by the visitor
 * @param status {@code open} or {@code closed}
 * @param visitor JSON from the page about the visitor; not verified
 * @param page JSON from the page about itself
 * @param visitorTypingAt time of the last typing ping
 * @param createdAt when it began
 * @param updatedAt when it last changed
 */
record Conversation(
        UUID id,
        @JsonIgnore @Nullable String workspaceId,
        @Nullable String title,
        String status,
        @JsonRawValue @Nullable String visitor,
        @JsonRawValue @Nullable String page,
        @Nullable OffsetDateTime visitorTypingAt,
        OffsetDateTime createdAt,
        OffsetDateTime updatedAt) {

    static final String OPEN = "open";
    static final String CLOSED = "closed";
}

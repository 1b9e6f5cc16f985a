package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A conversation between a visitor and the site's assistant.
 *
 * @param id also the session that the visitor's token speaks for
 * @param workspaceId the site that the widget belongs to
 * @param unknownWorkspace what the widget named instead; nobody reads what is said there, and nothing is known to answer
 * @param title as the visitor named it
 * @param status whether messages are taken
 * @param visitor what the page said about the visitor, text or an object; not proven
 * @param page what the page said about itself, text or an object
 * @param visitorTypingAt when the visitor was last typing
 * @param createdAt when it began
 * @param updatedAt when something last happened in it
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Conversation(
        UUID id,
        @JsonIgnore @Nullable String workspaceId,
        @JsonIgnore @Nullable String unknownWorkspace,
        @Nullable String title,
        Status status,

        @Schema(types = {"string", "object"}) @JsonRawValue @Nullable
        String visitor,

        @Schema(types = {"string", "object"}) @JsonRawValue @Nullable
        String page,

        @Nullable Instant visitorTypingAt,
        Instant createdAt,
        Instant updatedAt) {

    /** Tells whether it belongs to the site that a widget names. */
    boolean isOf(String workspace) {
        return workspace.equals(workspaceId == null ? unknownWorkspace : workspaceId);
    }

    enum Status {
        @JsonProperty("open")
        OPEN,
        @JsonProperty("closed")
        CLOSED;

        String stored() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Status of(String stored) {
            return valueOf(stored.toUpperCase(Locale.ROOT));
        }
    }
}

package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How satisfied somebody was.
 *
 * @param id the rating's id
 * @param workspaceId the site that was rated
 * @param conversationId the conversation that was rated, where the caller proved one
 * @param rating 1 to 5
 * @param comment plain text
 * @param createdAt when it was given
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Rating(
        UUID id,
        @JsonIgnore @Nullable String workspaceId,
        @Nullable UUID conversationId,
        @Schema(minimum = "1", maximum = "5") int rating,
        @Nullable String comment,
        Instant createdAt) {}

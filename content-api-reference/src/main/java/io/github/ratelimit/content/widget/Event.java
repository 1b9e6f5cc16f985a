package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Something that happened in a widget.
 *
 * @param id the event's id
 * @param conversationId where it happened
 * @param name what happened
 * @param properties details
 * @param createdAt when it was reported
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Event(
        UUID id,
        UUID conversationId,
        String name,
        @Schema(types = "object") @JsonRawValue String properties,
        Instant createdAt) {}

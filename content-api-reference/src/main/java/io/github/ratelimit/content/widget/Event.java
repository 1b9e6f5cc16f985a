package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.OffsetDateTime;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Something that happened in a widget; {@code properties} is JSON. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Event(
        UUID id,
        UUID conversationId,
        String name,
        @JsonRawValue String properties,
        OffsetDateTime createdAt) {}

package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The rating of one message by its visitor. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Feedback(
        UUID id,
        UUID messageId,
        @Nullable Boolean helpful,
        @Nullable String comment,
        OffsetDateTime createdAt) {}

package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A rating from 1 to 5; without a token it belongs to no conversation. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Rating(
        UUID id,
        @Nullable UUID conversationId,
        int rating,
        @Nullable String comment,
        OffsetDateTime createdAt) {}

package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A rating from 1 to 5; without a token it belongs to no conversation. */
record Rating(
        UUID id,
        @Nullable UUID conversationId,
        int rating,
        @Nullable String comment,
        OffsetDateTime createdAt) {}

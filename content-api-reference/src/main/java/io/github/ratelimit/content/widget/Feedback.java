package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rating of one message by its visitor. */
record Feedback(
        UUID id,
        UUID messageId,
        @Nullable Boolean helpful,
        @Nullable String comment,
        OffsetDateTime createdAt) {}

package io.github.ratelimit.content.widget;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a visitor thought of a message.
 *
 * @param id the feedback's id
 * @param messageId the message
 * @param helpful whether it helped; null where the visitor did not say
 * @param comment plain text
 * @param createdAt when it was given
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Feedback(
        UUID id,
        UUID messageId,
        @Nullable Boolean helpful,
        @Nullable String comment,
        Instant createdAt) {}

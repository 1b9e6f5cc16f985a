package io.github.ratelimit.content.widget;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A visitor who wants to be contacted.
 *
 * @param id the lead's id
 * @param conversationId where the visitor asked for it
 * @param email the visitor's address
 * @param name the visitor's name
 * @param phone the visitor's telephone number, as written
 * @param note what it is about
 * @param createdAt when the visitor asked
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Lead(
        UUID id,
        UUID conversationId,
        String email,
        @Nullable String name,
        @Nullable String phone,
        @Nullable String note,
        Instant createdAt) {}

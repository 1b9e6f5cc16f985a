package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A visitor who wants to be contacted. */
record Lead(
        UUID id,
        UUID conversationId,
        String email,
        @Nullable String name,
        @Nullable String phone,
        @Nullable String note,
        OffsetDateTime createdAt) {}

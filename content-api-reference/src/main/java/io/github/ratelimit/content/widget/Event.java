package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Something that happened in a widget; {@code properties} is JSON. */
record Event(
        UUID id,
        UUID conversationId,
        String name,
        @JsonRawValue String properties,
        OffsetDateTime createdAt) {}

package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * A message of a conversation.
 *
 * @param id the message's id
 * @param conversationId its conversation
 * @param author {@code visitor} or {@code assistant}
 * @param text plain text
 * @param sources JSON list of the documents behind an answer; empty for a visitor's message
 * @param createdAt when it was written
 */
record Message(
        UUID id,
        @JsonIgnore UUID conversationId,
        String author,
        String text,
        @JsonRawValue String sources,
        OffsetDateTime createdAt) {}

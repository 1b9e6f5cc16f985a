package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A conversation between a visitor and the assistant.
 *
 * @param id also the id of the visitor's session
 * @param workspaceId the site that the widget named; null for the oldest workspace
 * @param title given by the visitor
 * @param status {@code open} or {@code closed}
 * @param visitor JSON from the page about the visitor; not verified
 * @param page JSON from the page about itself
 * @param visitorTypingAt time of the last typing ping
 * @param createdAt when it began
 * @param updatedAt when it last changed
 */
record Conversation(
        UUID id,
        @JsonIgnore @Nullable String workspaceId,
        @Nullable String title,
        String status,
        @JsonRawValue @Nullable String visitor,
        @JsonRawValue @Nullable String page,
        @Nullable OffsetDateTime visitorTypingAt,
        OffsetDateTime createdAt,
        OffsetDateTime updatedAt) {

    static final String OPEN = "open";
    static final String CLOSED = "closed";

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

    /** The rating of one message by its visitor. */
    record Feedback(
            UUID id,
            UUID messageId,
            @Nullable Boolean helpful,
            @Nullable String comment,
            OffsetDateTime createdAt) {}

    /** Something that happened in a widget; {@code properties} is JSON. */
    record Event(
            UUID id,
            UUID conversationId,
            String name,
            @JsonRawValue String properties,
            OffsetDateTime createdAt) {}

    /** A visitor who wants to be contacted. */
    record Lead(
            UUID id,
            UUID conversationId,
            String email,
            @Nullable String name,
            @Nullable String phone,
            @Nullable String note,
            OffsetDateTime createdAt) {}

    /** A rating from 1 to 5; without a token it belongs to no conversation. */
    record Rating(
            UUID id,
            @Nullable UUID conversationId,
            int rating,
            @Nullable String comment,
            OffsetDateTime createdAt) {}
}

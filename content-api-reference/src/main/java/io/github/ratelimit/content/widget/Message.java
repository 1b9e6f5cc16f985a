package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.ratelimit.content.widget.Assistant.Source;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A message of a conversation.
 *
 * @param id the message's id
 * @param author who wrote it
 * @param text plain text
 * @param sources what an answer was taken from, as it was then; empty for a visitor's message
 * @param createdAt when it was written
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Message(UUID id, Author author, String text, List<Source> sources, Instant createdAt) {

    enum Author {
        @JsonProperty("visitor")
        VISITOR,
        @JsonProperty("assistant")
        ASSISTANT;

        String stored() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Author of(String stored) {
            return valueOf(stored.toUpperCase(Locale.ROOT));
        }
    }
}

package io.github.ratelimit.content.widget.sync;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.ratelimit.content.widget.api.PlainText;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * A document as a site sends it.
 *
 * @param id the site's own id: text of at most 191 characters, or a whole number
 * @param title plain text
 * @param content plain text or HTML
 * @param url where visitors read it
 */
public record DocumentDraft(
        @NotBlank(message = "is required")
        @PlainText(max = MAX_ID)
        @JsonDeserialize(using = DocumentDraft.TextOrNumber.class)
        String id,

        @PlainText(max = 500) @Nullable String title,

        @PlainText(max = 200_000) @JsonAlias({"text", "body"}) @Nullable
        String content,

        @PlainText(max = 2000) @Nullable String url) {

    static final int MAX_ID = 191;

    @JsonIgnore
    @AssertTrue(message = "one of them is required")
    boolean isTitleOrContent() {
        return StringUtils.hasText(title) || StringUtils.hasText(content);
    }

    /** Reads an id that is a string in one system and a whole number in another; nothing else. */
    static final class TextOrNumber extends ValueDeserializer<String> {

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
                return parser.getString();
            }
            return (String) context.handleUnexpectedToken(context.constructType(String.class), parser);
        }
    }
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Turns values of free form into text that every database stores. */
@Component
class JsonText {
    private final ObjectWriter writer;

    JsonText(JsonMapper mapper) {
        // Escaped: databases reject half of a surrogate pair, which JSON allows.
        writer = mapper.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    }

    String ofSources(List<Assistant.Source> sources) {
        return writer.writeValueAsString(sources);
    }

    /** Writes an object, or a string if {@code orString}; null without a value. */
    @Nullable
    String of(String field, @Nullable JsonNode value, boolean orString, int max) {
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isObject() && !(orString && value.isString())) {
            throw ApiException.invalid(Map.of(field, orString ? "must be a string or an object" : "must be an object"));
        }
        String text = writer.writeValueAsString(value);
        if (text.length() > max) {
            throw ApiException.invalid(Map.of(field, "must have at most " + max + " characters as JSON"));
        }
        return text;
    }
}

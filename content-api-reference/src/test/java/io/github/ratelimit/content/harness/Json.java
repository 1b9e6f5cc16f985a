package io.github.ratelimit.content.harness;

import java.nio.file.Path;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON as trees; numbers keep every digit. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    /** Reads a text. */
    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    /** Reads bytes in UTF-8. */
    public static JsonNode read(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    /** Reads a file. */
    public static JsonNode read(Path file) {
        return MAPPER.readTree(file);
    }
}

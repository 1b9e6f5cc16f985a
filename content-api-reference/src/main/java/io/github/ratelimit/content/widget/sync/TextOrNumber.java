package io.github.ratelimit.content.widget.sync;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads an id that is a string in one system and a whole number in another; nothing else. */
final class TextOrNumber extends ValueDeserializer<String> {

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getString();
        }
        return (String) context.handleUnexpectedToken(context.constructType(String.class), parser);
    }
}

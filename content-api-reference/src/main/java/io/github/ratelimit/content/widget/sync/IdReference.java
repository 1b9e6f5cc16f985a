package io.github.ratelimit.content.widget.sync;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads an id, bare or as the member {@code id} of an object whose other members do not matter. */
final class IdReference extends ValueDeserializer<String> {

    private static final TextOrNumber BARE = new TextOrNumber();

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return BARE.deserialize(parser, context);
        }
        String id = "";
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean wanted = "id".equals(parser.currentName());
            parser.nextToken();
            if (wanted) {
                id = BARE.deserialize(parser, context);
            } else {
                parser.skipChildren();
            }
        }
        return id;
    }
}

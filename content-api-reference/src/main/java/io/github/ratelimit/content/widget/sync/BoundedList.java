package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads a list no further than its most items: a body of a million empty objects is refused at the first too many. */
abstract class BoundedList<T> extends ValueDeserializer<List<T>> {

    private final String name;
    private final int most;

    /**
     * Creates the reader.
     *
     * @param name of the list, for the refusal
     * @param most items
     */
    BoundedList(String name, int most) {
        this.name = name;
        this.most = most;
    }

    /** Reads the item that the parser stands on. */
    abstract T item(JsonParser parser, DeserializationContext context);

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the validation says what is missing, by the item's number
    public final List<T> deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return (List<T>) context.handleUnexpectedToken(context.constructType(List.class), parser);
        }
        List<T> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (items.size() == most) {
                throw ApiException.invalid(Map.of(name, "must have at most " + most + " items"));
            }
            try {
                items.add(parser.currentToken() == JsonToken.VALUE_NULL ? null : item(parser, context));
            } catch (JacksonException e) {
                throw e.prependPath(items, items.size());
            }
        }
        return items;
    }
}

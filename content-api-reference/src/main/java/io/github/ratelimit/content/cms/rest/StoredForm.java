package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Row;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** How the values of columns are described, shown and read. */
final class StoredForm {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int LAST_YEAR = 9999;

    private StoredForm() {}

    /** Describes values as clients see them. A moment may be none. */
    static Schema schema(Column<?> column) {
        return switch (column.form()) {
            case TEXT -> Schema.string();
            case NUMBER -> Schema.integer();
            case FLAG -> Schema.bool();
            case MOMENT -> Schema.ofTypes("string", "null").format("date-time");
            case BYTES -> throw new IllegalArgumentException("column " + column + ": bytes are no member");
        };
    }

    /** Shows a value; a moment in UTC, with its offset. */
    static JsonNode show(Row row, Column<?> column) {
        Object value = row.find(column);
        if (value instanceof String text) {
            return JSON.stringNode(text);
        }
        if (value instanceof Long number) {
            return JSON.numberNode(number);
        }
        if (value instanceof Boolean flag) {
            return JSON.booleanNode(flag);
        }
        return value instanceof Instant moment
                ? JSON.stringNode(SiteDates.print(moment, ZoneOffset.UTC) + "+00:00")
                : JSON.nullNode();
    }

    /** Refuses what the column does not hold: databases count some characters twice, and know less years. */
    static Argument reading(Argument argument, Column<?> column) {
        return switch (column.form()) {
            case TEXT -> argument.readBy((request, value) -> text(argument, value, column.width()));
            case MOMENT ->
                argument.readBy((request, value) -> moment(argument, value)).readingNull();
            default -> argument;
        };
    }

    private static JsonNode text(Argument argument, JsonNode value, int width) {
        Schema schema = argument.schema();
        // A column may be wider than an argument that does not say how long it may be.
        int most = Math.min(width, SchemaReader.MOST_CHARACTERS);
        Schema bounded = schema.describe().has("maxLength") ? schema : schema.maxLength(most);
        JsonNode read = bounded.read(argument.name(), value);
        if (read.asString("").length() > width) {
            throw InvalidValue.of("rest_too_long", argument.name() + " must be at most " + width + " characters long.");
        }
        return read;
    }

    private static JsonNode moment(Argument argument, JsonNode value) {
        JsonNode read = argument.schema().read(argument.name(), value);
        int year = read.isNull() ? 1 : moment(read).atOffset(ZoneOffset.UTC).getYear();
        if (year < 1 || year > LAST_YEAR) {
            throw InvalidValue.of("rest_invalid_date", "Invalid date.");
        }
        return read;
    }

    /** Takes what was read for a value of a column; nothing for no moment. */
    static <V> @Nullable V value(Column<V> column, JsonNode read) {
        return column.cast(
                switch (column.form()) {
                    case TEXT -> read.asString("");
                    case NUMBER -> read.longValue();
                    case FLAG -> read.booleanValue();
                    case MOMENT -> read.isNull() ? null : moment(read);
                    case BYTES -> throw new IllegalArgumentException("column " + column + ": bytes are no member");
                });
    }

    private static Instant moment(JsonNode read) {
        return SiteDates.parse(read.stringValue(), ZoneOffset.UTC).orElseThrow();
    }
}

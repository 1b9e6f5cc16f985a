package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads values by a descriptor. Values come from JSON, forms and queries alike, so text is taken for what it spells.
 *
 * <p>The rules, and the codes of what breaks them, are those of recorded answers.
 */
final class SchemaReader {
    /** Of a list that says nothing else. Chosen: more than clients send, and less than takes 16 MiB to look for. */
    static final int MOST_ITEMS = 5_000;

    /** Of a text that says nothing else. Chosen: ten pages; what is longer is the text of an item, read by itself. */
    static final int MOST_CHARACTERS = 20_000;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    // Possessive: a long run of digits is walked over once.
    private static final Pattern NUMERIC = Pattern.compile(
            "[ \\t\\n\\r]*+[+-]?+(?:[0-9]++(?:\\.[0-9]*+)?+|\\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+[ \\t\\n\\r]*+");
    private static final Pattern SEPARATORS = Pattern.compile("[,\\s]++");
    private static final int LONGEST_NUMBER = 64;
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private SchemaReader() {}

    static JsonNode read(JsonNode schema, String path, JsonNode value) {
        if (schema.get("oneOf") instanceof ArrayNode alternatives) {
            JsonNode read = readOneOf(schema, alternatives, path, value);
            typeOf(schema, path, value);
            if (read instanceof ObjectNode members) {
                checkRequired(schema, schema.path("properties"), path, members);
            }
            return read;
        }
        JsonNode read = readType(schema, typeOf(schema, path, value), path, value);
        checkEnum(schema, path, read);
        checkFormat(schema, path, read);
        return read;
    }

    /** Finds the one declared type that a value is of; empty where the schema has none. */
    private static String typeOf(JsonNode schema, String path, JsonNode value) {
        JsonNode declared = schema.path("type");
        if (!declared.isArray()) {
            return declared.asString("");
        }
        List<String> names = new ArrayList<>();
        for (JsonNode type : declared.values()) {
            String name = type.stringValue();
            if (is(name, value)) {
                return name;
            }
            names.add(name);
        }
        throw InvalidValue.type(path, String.join(",", names));
    }

    private static boolean is(String type, JsonNode value) {
        return switch (type) {
            case "null" -> value.isNull();
            case "string" -> value.isString();
            case "array" -> value.isArray() || isScalar(value);
            case "object" -> value.isObject() || value.isArray() || isEmptyText(value);
            case "integer" -> integer(value).isPresent();
            case "number" -> number(value).isPresent();
            case "boolean" -> bool(value).isPresent();
            default -> false;
        };
    }

    private static JsonNode readType(JsonNode schema, String type, String path, JsonNode value) {
        return switch (type) {
            case "string" -> readText(schema, path, value);
            case "integer" -> inBounds(schema, path, integer(value).map(JSON::numberNode), type);
            case "number" -> inBounds(schema, path, number(value).map(JSON::numberNode), type);
            case "boolean" -> JSON.booleanNode(bool(value).orElseThrow(() -> InvalidValue.type(path, "boolean")));
            case "array" -> readList(schema, path, value);
            case "object" -> readObject(schema, path, value);
            default -> readAnything(schema, path, value);
        };
    }

    private static JsonNode readAnything(JsonNode schema, String path, JsonNode value) {
        if (value.isString()) {
            return readText(schema, path, value);
        }
        value.values().forEach(inner -> readAnything(schema, path, inner));
        return value;
    }

    private static JsonNode readText(JsonNode schema, String path, JsonNode value) {
        if (!value.isString()) {
            throw InvalidValue.type(path, "string");
        }
        String text = value.stringValue();
        int most = schema.path("maxLength").asInt(MOST_CHARACTERS);
        if (text.length() > most && text.codePointCount(0, text.length()) > most) {
            throw InvalidValue.of("rest_too_long", path + " must be at most " + most + " characters long.");
        }
        return value;
    }

    private static JsonNode readList(JsonNode schema, String path, JsonNode value) {
        ArrayNode list = JSON.arrayNode();
        JsonNode items = schema.path("items");
        int most = schema.path("maxItems").asInt(MOST_ITEMS);
        for (JsonNode item : listOf(path, value, most + 1)) {
            // Reading stops here: a list that is spelled as one text may have half a million items.
            if (list.size() == most) {
                throw InvalidValue.of("rest_too_many_items", path + " must contain at most " + most + " items.");
            }
            list.add(read(items, path + "[" + list.size() + "]", item));
        }
        int count = list.size();
        int least = schema.path("minItems").asInt(0);
        if (count < least) {
            throw InvalidValue.of("rest_too_few_items", path + " must contain at least " + least + " items.");
        }
        if (schema.path("uniqueItems").asBoolean(false)
                && list.valueStream().distinct().count() < count) {
            throw InvalidValue.of("rest_duplicate_items", path + " has duplicate items.");
        }
        return list;
    }

    private static Iterable<JsonNode> listOf(String path, JsonNode value, int most) {
        // Where an empty list is written as an empty object it is one all the same.
        if (value.isArray() || (value.isObject() && value.isEmpty())) {
            return value.values();
        }
        if (!isScalar(value)) {
            throw InvalidValue.type(path, "array");
        }
        List<JsonNode> items = new ArrayList<>();
        String listed = value.isBoolean() ? (value.booleanValue() ? "1" : "") : spelling(value);
        for (String item : words(listed, most)) {
            items.add(JSON.stringNode(item));
        }
        return items;
    }

    /** Splits a text at commas and white space, into at most so many words. */
    static List<String> words(String text, int most) {
        return SEPARATORS
                .splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .limit(most)
                .toList();
    }

    private static JsonNode readObject(JsonNode schema, String path, JsonNode value) {
        ObjectNode members = objectOf(path, value);
        JsonNode declared = schema.path("properties");
        checkRequired(schema, declared, path, members);

        JsonNode others = schema.path("additionalProperties");
        ObjectNode read = JSON.objectNode();
        for (Map.Entry<String, JsonNode> member : members.properties()) {
            String name = member.getKey();
            String memberPath = path + "[" + name + "]";
            JsonNode known = declared.get(name);
            if (known != null) {
                read.set(name, read(known, memberPath, member.getValue()));
            } else if (others.isObject()) {
                read.set(name, read(others, memberPath, member.getValue()));
            } else if (others.isBoolean() && !others.booleanValue()) {
                throw InvalidValue.of(
                        "rest_additional_properties_forbidden", name + " is not a valid property of " + path + ".");
            } else {
                read.set(name, member.getValue());
            }
        }
        return read;
    }

    private static ObjectNode objectOf(String path, JsonNode value) {
        if (value instanceof ObjectNode object) {
            return object;
        }
        // Forms and older clients cannot tell an empty object from an empty list or text.
        if (value.isArray() || isEmptyText(value)) {
            ObjectNode numbered = JSON.objectNode();
            int index = 0;
            for (JsonNode item : value.values()) {
                numbered.set(Integer.toString(index++), item);
            }
            return numbered;
        }
        throw InvalidValue.type(path, "object");
    }

    private static void checkRequired(JsonNode schema, JsonNode declared, String path, ObjectNode members) {
        List<String> required = new ArrayList<>();
        if (schema.get("required") instanceof ArrayNode names) {
            names.forEach(name -> required.add(name.stringValue()));
        } else if (declared.isObject()) {
            declared.properties().stream()
                    .filter(member -> member.getValue().path("required").asBoolean(false))
                    .forEach(member -> required.add(member.getKey()));
        }
        for (String name : required) {
            if (!members.has(name)) {
                throw InvalidValue.of("rest_property_required", name + " is a required property of " + path + ".");
            }
        }
    }

    /** An alternative that did not fit, and why. */
    private record Misfit(int position, JsonNode schema, InvalidValue reason) {}

    private static JsonNode readOneOf(JsonNode schema, ArrayNode alternatives, String path, JsonNode value) {
        List<Misfit> misfits = new ArrayList<>();
        ArrayNode fitting = JSON.arrayNode();
        JsonNode read = null;
        int position = 0;
        for (JsonNode alternative : alternatives) {
            JsonNode typed = inheritingType(alternative, schema);
            try {
                read = read(typed, path, value);
                fitting.add(position);
            } catch (InvalidValue reason) {
                misfits.add(new Misfit(position, typed, reason));
            }
            position++;
        }
        if (fitting.size() > 1) {
            throw InvalidValue.of(
                    "rest_one_of_multiple_matches",
                    path + " matches more than one of the expected formats.",
                    JSON.objectNode().set("positions", fitting));
        }
        if (read != null) {
            return read;
        }
        throw noAlternative(path, value, misfits);
    }

    private static JsonNode inheritingType(JsonNode alternative, JsonNode schema) {
        if (alternative.has("type") || !schema.has("type")) {
            return alternative;
        }
        ObjectNode typed = JSON.objectNode();
        typed.set("type", schema.get("type"));
        typed.setAll((ObjectNode) alternative);
        return typed;
    }

    /** Blames the alternative that the caller most likely meant. */
    private static InvalidValue noAlternative(String path, JsonNode value, List<Misfit> misfits) {
        List<Misfit> ofType = misfits.stream()
                .filter(misfit -> !isTypeErrorAt(path, misfit.reason()))
                .toList();
        if (misfits.size() == 1) {
            return blame(path, misfits.get(0));
        }
        if (ofType.size() == 1) {
            return blame(path, ofType.get(0));
        }
        // Of those that declare as many of the members that were sent, the first.
        Misfit closest = ofType.stream()
                .filter(misfit -> sharedMembers(misfit, value) > 0)
                .max(Comparator.comparingLong(misfit -> sharedMembers(misfit, value)))
                .orElse(null);
        return closest != null
                ? blame(path, closest)
                : InvalidValue.of("rest_no_matching_schema", path + " does not match any of the expected formats.");
    }

    private static long sharedMembers(Misfit misfit, JsonNode value) {
        return value.properties().stream()
                .filter(member -> misfit.schema().path("properties").has(member.getKey()))
                .count();
    }

    private static boolean isTypeErrorAt(String path, InvalidValue reason) {
        ObjectNode data = reason.data();
        return reason.code().equals("rest_invalid_type")
                && data != null
                && path.equals(data.path("param").asString(""));
    }

    private static InvalidValue blame(String path, Misfit misfit) {
        String title = misfit.schema().path("title").asString("");
        String what = title.isEmpty() ? "value" : title;
        return InvalidValue.of(
                "rest_no_matching_schema",
                path + " is not a valid " + what + ". Reason: "
                        + misfit.reason().text(),
                JSON.objectNode().put("position", misfit.position()));
    }

    private static void checkEnum(JsonNode schema, String path, JsonNode value) {
        if (!(schema.get("enum") instanceof ArrayNode allowed)
                || allowed.valueStream().anyMatch(value::equals)) {
            return;
        }
        List<String> names = allowed.valueStream().map(SchemaReader::spelling).toList();
        throw InvalidValue.of(
                "rest_not_in_enum",
                names.size() == 1
                        ? path + " is not " + names.get(0) + "."
                        : path + " is not one of " + listed(names) + ".");
    }

    /** Lists names as people do. */
    private static String listed(List<String> names) {
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + (last > 1 ? ", and " : " and ") + names.get(last);
    }

    /** Checks the formats that matter. {@code uri} is a hint for clients: addresses are checked where they are used. */
    private static void checkFormat(JsonNode schema, String path, JsonNode value) {
        String format = value.isString() ? schema.path("format").asString("") : "";
        if (format.equals("date-time")
                && SiteDates.parse(value.stringValue(), ZoneOffset.UTC).isEmpty()) {
            throw InvalidValue.of("rest_invalid_date", "Invalid date.");
        }
        if (format.equals("uuid") && !UUID.matcher(value.stringValue()).matches()) {
            throw InvalidValue.of("rest_invalid_uuid", path + " is not a valid UUID.");
        }
    }

    private static JsonNode inBounds(JsonNode schema, String path, Optional<? extends JsonNode> sent, String type) {
        JsonNode value = sent.orElseThrow(() -> InvalidValue.type(path, type));
        JsonNode minimum = schema.get("minimum");
        JsonNode maximum = schema.get("maximum");
        boolean openBelow = schema.path("exclusiveMinimum").asBoolean(false);
        boolean openAbove = schema.path("exclusiveMaximum").asBoolean(false);
        // What is as great as an open bound is beyond it.
        boolean isBelow = minimum != null && compare(value, minimum) < (openBelow ? 1 : 0);
        boolean isAbove = maximum != null && compare(value, maximum) > (openAbove ? -1 : 0);
        if (isBelow || isAbove) {
            throw InvalidValue.of(
                    "rest_out_of_bounds", path + " must be " + bounds(minimum, openBelow, maximum, openAbove));
        }
        return value;
    }

    private static int compare(JsonNode one, JsonNode other) {
        return Double.compare(one.doubleValue(), other.doubleValue());
    }

    private static String bounds(
            @Nullable JsonNode minimum, boolean openBelow, @Nullable JsonNode maximum, boolean openAbove) {
        if (minimum != null && maximum != null) {
            return "between " + spelling(minimum) + (openBelow ? " (exclusive)" : " (inclusive)") + " and "
                    + spelling(maximum) + (openAbove ? " (exclusive)" : " (inclusive)");
        }
        if (minimum != null) {
            return "greater than " + (openBelow ? "" : "or equal to ") + spelling(minimum);
        }
        return "less than " + (openAbove ? "" : "or equal to ") + (maximum == null ? "" : spelling(maximum));
    }

    /** Reads a whole number; one beyond the range of ids is as good as the last id. */
    static Optional<Long> integer(JsonNode value) {
        return number(value)
                .filter(number -> number.stripTrailingZeros().scale() <= 0)
                .map(number -> number.max(LEAST).min(GREATEST).longValueExact());
    }

    private static Optional<BigDecimal> number(JsonNode value) {
        if (!value.isNumber() && !value.isString()) {
            return Optional.empty();
        }
        String text = spelling(value);
        if (text.length() > LONGEST_NUMBER || !NUMERIC.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(text.strip());
            // 1e999999999 is short to write and endless to expand.
            return Math.abs((long) number.scale()) > LONGEST_NUMBER ? Optional.empty() : Optional.of(number);
        } catch (NumberFormatException e) {
            return Optional.empty(); // an exponent that Java has no number for
        }
    }

    private static Optional<Boolean> bool(JsonNode value) {
        if (value.isBoolean()) {
            return Optional.of(value.booleanValue());
        }
        if (!value.isString() && !value.isIntegralNumber()) {
            return Optional.empty();
        }
        return switch (Letters.lower(spelling(value))) {
            case "true", "1" -> Optional.of(true);
            case "false", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static boolean isScalar(JsonNode value) {
        return value.isString() || value.isNumber() || value.isBoolean();
    }

    private static boolean isEmptyText(JsonNode value) {
        return value.isString() && value.stringValue().isEmpty();
    }

    private static String spelling(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}

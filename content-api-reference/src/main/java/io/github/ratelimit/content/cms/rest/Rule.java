package io.github.ratelimit.content.cms.rest;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads values of one kind: checks them, and turns spellings into what they mean. Safe for concurrent use.
 *
 * <p>The rules, and the codes of what breaks them, are those of recorded answers.
 */
@FunctionalInterface
interface Rule {
    /** Of a text that says nothing else. Chosen: ten pages; what is longer is the text of an item, read by itself. */
    int MOST_CHARACTERS = 20_000;

    Rule TEXT = (path, value) -> {
        if (!value.isString()) {
            throw InvalidValue.type(path, "string");
        }
        return atMost(MOST_CHARACTERS, path, value);
    };

    Rule INTEGER = (path, value) -> JsonNodeFactory.instance.numberNode(
            Spelling.integer(value).orElseThrow(() -> InvalidValue.type(path, "integer")));

    Rule NUMBER = (path, value) -> JsonNodeFactory.instance.numberNode(
            Spelling.number(value).orElseThrow(() -> InvalidValue.type(path, "number")));

    Rule BOOL = (path, value) -> JsonNodeFactory.instance.booleanNode(
            Spelling.bool(value).orElseThrow(() -> InvalidValue.type(path, "boolean")));

    /**
     * Reads a value.
     *
     * @param path how messages name it
     * @throws InvalidValue if it does not fit
     */
    JsonNode read(String path, JsonNode value);

    /** Accepts of what this rule has read only what fits. */
    default Rule only(Predicate<JsonNode> fits, String code, UnaryOperator<String> message) {
        return (path, value) -> {
            JsonNode read = read(path, value);
            if (!fits.test(read)) {
                throw InvalidValue.of(code, message.apply(path));
            }
            return read;
        };
    }

    /** Reads anything, of which only texts have a bound. */
    static JsonNode anything(String path, JsonNode value) {
        value.values().forEach(inner -> anything(path, inner));
        return atMost(MOST_CHARACTERS, path, value);
    }

    /** Rejects a text that is longer; what is no text has no length. */
    static JsonNode atMost(int most, String path, JsonNode value) {
        String text = value.isString() ? value.stringValue() : "";
        if (text.length() > most && text.codePointCount(0, text.length()) > most) {
            throw InvalidValue.of("rest_too_long", path + " must be at most " + most + " characters long.");
        }
        return value;
    }

    /** Reads a value by the first of several types that it is of. */
    static Rule ofTypes(String... types) {
        return (path, value) -> Stream.of(types)
                .filter(type -> isOf(type, value))
                .findFirst()
                .map(Rule::ofType)
                .orElseThrow(() -> InvalidValue.type(path, String.join(",", types)))
                .read(path, value);
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isString();
            case "array" -> value.isArray() || Spelling.isScalar(value);
            case "object" -> value.isObject() || value.isArray() || Spelling.isEmptyText(value);
            case "null" -> value.isNull();
            default -> throw new IllegalArgumentException(type + " is none of several types");
        };
    }

    private static Rule ofType(String type) {
        return switch (type) {
            case "string" -> TEXT;
            case "array" -> ListRule.of(Rule::anything);
            case "object" -> ObjectRule.OPEN;
            default -> Rule::anything;
        };
    }
}

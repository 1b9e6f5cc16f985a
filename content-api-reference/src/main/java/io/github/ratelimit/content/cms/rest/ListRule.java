package io.github.ratelimit.content.cms.rest;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads lists, also those that are spelled as one text.
 *
 * @param items reads each of them
 * @param least how many there must be
 * @param most how many there may be
 * @param isUnique whether none may be there twice
 */
record ListRule(Rule items, int least, int most, boolean isUnique) implements Rule {
    /** Of a list that says nothing else. Chosen: more than clients send, and less than takes 16 MiB to look for. */
    static final int MOST_ITEMS = 5_000;

    static ListRule of(Rule items) {
        return new ListRule(items, 0, MOST_ITEMS, false);
    }

    @Override
    public JsonNode read(String path, JsonNode value) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : items(path, value)) {
            // Reading stops here: a list that is spelled as one text may have half a million items.
            if (list.size() == most) {
                throw InvalidValue.of("rest_too_many_items", path + " must contain at most " + most + " items.");
            }
            list.add(items.read(path + "[" + list.size() + "]", item));
        }
        if (list.size() < least) {
            throw InvalidValue.of("rest_too_few_items", path + " must contain at least " + least + " items.");
        }
        if (isUnique && list.valueStream().distinct().count() < list.size()) {
            throw InvalidValue.of("rest_duplicate_items", path + " has duplicate items.");
        }
        return list;
    }

    private Iterable<JsonNode> items(String path, JsonNode value) {
        // Where an empty list is written as an empty object it is one all the same.
        if (value.isArray() || (value.isObject() && value.isEmpty())) {
            return value.values();
        }
        if (!Spelling.isScalar(value)) {
            throw InvalidValue.type(path, "array");
        }
        return Spelling.words(value, most + 1).stream()
                .<JsonNode>map(JsonNodeFactory.instance::stringNode)
                .toList();
    }
}

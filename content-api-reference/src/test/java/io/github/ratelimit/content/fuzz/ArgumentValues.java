package io.github.ratelimit.content.fuzz;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes values for arguments from their descriptors: some as they should be, some as an attacker would send them. */
final class ArgumentValues {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final List<String> TEXTS =
            List.of("mountains", "Alpha", "a b", "x", "Grüße", "<p>Text</p>", "two\n\nparagraphs", "日本", "1", "");

    private static final List<String> DATES = List.of(
            "2024-01-31T10:00:00",
            "2030-12-31T23:59:59Z",
            "2024-02-30T00:00:00",
            "2024-06-01T12:00:00+02:00",
            "2024-03-01");

    private static final List<String> HOSTILE_TEXTS = List.of(
            "' or ''='",
            "\"; drop table posts; --",
            "%",
            "_%\\",
            "\\",
            "\u0000",
            "\ud800",
            "\u202e\ufeff",
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "{{7*7}}",
            "${7*7}",
            "#{7*7}",
            "../../../../etc/hosts",
            "..%2f..%2f",
            "file:///etc/hosts",
            "http://127.0.0.1:1/",
            "http://[::1]:1/",
            "http://2130706433:1/",
            "http://169.254.169.254/",
            "javascript:alert(1)",
            "-1",
            "0",
            "1e9",
            "1.5",
            "0x10",
            " 1",
            "1abc",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999999999",
            "NaN",
            "true",
            "null",
            "[]",
            "{}",
            "2024-99-99T99:99:99",
            "0000-00-00T00:00:00",
            "9999-12-31T23:59:59",
            "1e99999999999",
            "999999999-01-01T00:00:00",
            "-0001-01-01T00:00:00Z",
            "2024-01-01T00:00:00+99:99",
            "a,b,,c,",
            ",".repeat(300),
            "(".repeat(2_000),
            "<b>".repeat(3_000),
            "<!-- wp:x -->".repeat(1_000),
            "\"".repeat(5_000),
            "-".repeat(20_000),
            "a ".repeat(5_000),
            "\n".repeat(10_000),
            "[x".repeat(2_000),
            "&".repeat(5_000),
            "\uD83D\uDE00".repeat(500));

    private final Dice dice;
    private final Supplier<String> id;
    private final Supplier<String> address;

    /**
     * Makes values.
     *
     * @param id gives the ids of items that may exist
     * @param address gives addresses that may name something
     */
    ArgumentValues(Dice dice, Supplier<String> id, Supplier<String> address) {
        this.dice = dice;
        this.id = id;
        this.address = address;
    }

    /** Returns a value that fits the descriptor. */
    JsonNode fitting(JsonNode descriptor) {
        if (descriptor.has("enum")) {
            return dice.oneOf(descriptor.path("enum").valueStream().toList());
        }
        if (descriptor.has("default") && dice.percent(15)) {
            return descriptor.path("default");
        }
        if (descriptor.has("oneOf")) {
            return fitting(dice.oneOf(descriptor.path("oneOf").valueStream().toList()));
        }
        return switch (type(descriptor)) {
            case "integer" -> integer(descriptor);
            case "number" -> JSON.numberNode(BigDecimal.valueOf(dice.below(10_000), 2));
            case "boolean" ->
                dice.percent(50) ? JSON.booleanNode(dice.percent(50)) : JSON.stringNode(dice.oneOf("0", "1"));
            case "array" -> list(descriptor);
            case "object" -> object(descriptor);
            case "null" -> JSON.nullNode();
            default -> JSON.stringNode(text(descriptor));
        };
    }

    /** Returns a value that does not fit, or fits and is meant badly. */
    JsonNode hostile(JsonNode descriptor) {
        return switch (dice.below(8)) {
            case 0 -> list(descriptor, dice.oneOf(0, 1, 101, 2_000));
            case 1 -> nested(dice.oneOf(3, 40, 63, 64, 65, 450));
            case 2 ->
                JSON.numberNode(
                        new BigDecimal(dice.oneOf("1e400", "-1e-400", "1.5", "-1", "0", "9223372036854775808")));
            case 3 -> dice.oneOf(JSON.nullNode(), JSON.booleanNode(true), JSON.objectNode(), JSON.arrayNode());
            case 4 -> JSON.objectNode().put("raw", hostileText()).put("rendered", hostileText());
            default -> JSON.stringNode(hostileText());
        };
    }

    /** Returns a text that is meant badly. */
    String hostileText() {
        return dice.oneOf(HOSTILE_TEXTS);
    }

    private String type(JsonNode descriptor) {
        JsonNode type = descriptor.path("type");
        return type.isArray() ? dice.oneOf(type.valueStream().toList()).asString() : type.asString("string");
    }

    private JsonNode integer(JsonNode descriptor) {
        if (descriptor.has("minimum") || descriptor.has("maximum")) {
            int least = descriptor.path("minimum").asInt(0);
            int most = descriptor.path("maximum").asInt(least + 5);
            return JSON.numberNode(least + dice.below(most - least + 1));
        }
        return dice.percent(80) ? JSON.stringNode(id.get()) : JSON.numberNode(dice.below(5));
    }

    private String text(JsonNode descriptor) {
        return switch (descriptor.path("format").asString("")) {
            case "date-time" -> dice.oneOf(DATES);
            case "uri" -> address.get();
            case "email" -> "somebody" + dice.below(1_000) + "@example.test";
            default -> dice.oneOf(TEXTS);
        };
    }

    private JsonNode list(JsonNode descriptor) {
        int least = descriptor.path("minItems").asInt(0);
        int most = Math.min(descriptor.path("maxItems").asInt(4), least + 4);
        return list(descriptor, least + dice.below(most - least + 1));
    }

    private JsonNode list(JsonNode descriptor, int size) {
        ArrayNode list = JSON.arrayNode();
        for (int i = 0; i < size; i++) {
            list.add(fitting(descriptor.path("items")));
        }
        return list;
    }

    private JsonNode object(JsonNode descriptor) {
        ObjectNode object = JSON.objectNode();
        for (Map.Entry<String, JsonNode> property :
                descriptor.path("properties").properties()) {
            boolean required = property.getValue().path("required").asBoolean(false)
                    || descriptor
                            .path("required")
                            .valueStream()
                            .anyMatch(name -> name.asString("").equals(property.getKey()));
            if (required || dice.percent(70)) {
                object.set(property.getKey(), fitting(property.getValue()));
            }
        }
        return object;
    }

    private static JsonNode nested(int depth) {
        JsonNode value = JSON.stringNode("deep");
        for (int i = 0; i < depth; i++) {
            value = i % 2 == 0 ? JSON.arrayNode().add(value) : JSON.objectNode().set("raw", value);
        }
        return value;
    }
}

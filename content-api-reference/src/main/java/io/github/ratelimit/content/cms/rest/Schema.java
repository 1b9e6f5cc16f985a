package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a value must look like: the descriptor that clients see, and the rule that values are read by.
 *
 * <p>Immutable; each method returns a changed copy, and says side by side what it publishes and what it enforces. Safe for
 * concurrent use.
 */
public final class Schema {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final ObjectNode descriptor;
    private final Rule rule;

    private Schema(ObjectNode descriptor, Rule rule) {
        this.descriptor = descriptor;
        this.rule = rule;
    }

    /**
     * Accepts anything, and says nothing about it.
     *
     * @return a schema without a type
     */
    public static Schema any() {
        return new Schema(JSON.objectNode(), Rule::anything);
    }

    /**
     * Accepts text.
     *
     * @return a schema of type {@code string}
     */
    public static Schema string() {
        return ofType("string", Rule.TEXT);
    }

    /**
     * Accepts text.
     *
     * @param description for people
     * @return a schema of type {@code string}
     */
    public static Schema string(String description) {
        return string().describedAs(description);
    }

    /**
     * Accepts whole numbers, also as text.
     *
     * @return a schema of type {@code integer}
     */
    public static Schema integer() {
        return ofType("integer", Rule.INTEGER);
    }

    /**
     * Accepts whole numbers, also as text.
     *
     * @param description for people
     * @return a schema of type {@code integer}
     */
    public static Schema integer(String description) {
        return integer().describedAs(description);
    }

    /**
     * Accepts numbers, also as text.
     *
     * @return a schema of type {@code number}
     */
    public static Schema number() {
        return ofType("number", Rule.NUMBER);
    }

    /**
     * Accepts {@code true} and {@code false}, and the spellings of them that forms and queries have.
     *
     * @return a schema of type {@code boolean}
     */
    public static Schema bool() {
        return ofType("boolean", Rule.BOOL);
    }

    /**
     * Accepts {@code true} and {@code false}, and the spellings of them that forms and queries have.
     *
     * @param description for people
     * @return a schema of type {@code boolean}
     */
    public static Schema bool(String description) {
        return bool().describedAs(description);
    }

    /**
     * Accepts objects with any members, until they are declared.
     *
     * @return a schema of type {@code object}
     */
    public static Schema object() {
        return ofType("object", ObjectRule.OPEN);
    }

    /**
     * Accepts objects with any members, until they are declared.
     *
     * @param description for people
     * @return a schema of type {@code object}
     */
    public static Schema object(String description) {
        return object().describedAs(description);
    }

    /**
     * Accepts lists, also as text with commas or spaces between the items.
     *
     * @param items what each item must look like
     * @return a schema of type {@code array}
     */
    public static Schema arrayOf(Schema items) {
        return ofType("array", ListRule.of(items.rule)).with("items", items.descriptor);
    }

    /**
     * Describes lists.
     *
     * @param items of the list
     * @param description for people
     * @return the schema
     */
    public static Schema arrayOf(Schema items, String description) {
        return arrayOf(items).describedAs(description);
    }

    /**
     * Accepts values of any of several types.
     *
     * @param types names of types; the first one that fits decides how a value is read
     * @return a schema with a list of types
     */
    public static Schema ofTypes(String... types) {
        return any().with("type", texts(types), Rule.ofTypes(types));
    }

    private static Schema ofType(String type, Rule rule) {
        return any().with("type", JSON.stringNode(type), rule);
    }

    /**
     * Adds an explanation for people.
     *
     * @param text a sentence
     * @return the changed copy
     */
    public Schema describedAs(String text) {
        return with("description", JSON.stringNode(text));
    }

    /**
     * Adds a title, as alternatives have.
     *
     * @param title a few words, or nothing
     * @return the changed copy
     */
    public Schema titled(String title) {
        return with("title", JSON.stringNode(title));
    }

    /**
     * Restricts text to some values.
     *
     * @param values the allowed ones, at least one
     * @return the changed copy
     */
    public Schema among(String... values) {
        List<String> allowed = List.of(values);
        String complaint =
                allowed.size() == 1 ? " is not " + values[0] + "." : " is not one of " + listed(allowed) + ".";
        return with("enum", texts(values))
                .only(value -> allowed.contains(value.asString("")), "rest_not_in_enum", path -> path + complaint);
    }

    /**
     * Restricts text to a format; {@code date-time} and {@code uuid} are checked. {@code uri} is a hint for clients: addresses are
     * checked where they are used.
     *
     * @param format its name
     * @return the changed copy
     */
    public Schema format(String format) {
        Schema formatted = with("format", JSON.stringNode(format));
        return switch (format) {
            case "date-time" -> formatted.only(Schema::isMoment, "rest_invalid_date", path -> "Invalid date.");
            case "uuid" -> formatted.only(Schema::isUuid, "rest_invalid_uuid", path -> path + " is not a valid UUID.");
            default -> formatted;
        };
    }

    private static boolean isMoment(JsonNode value) {
        return value.isNull()
                || SiteDates.parse(value.stringValue(), ZoneOffset.UTC).isPresent();
    }

    private static boolean isUuid(JsonNode value) {
        return value.isNull() || UUID.matcher(value.stringValue()).matches();
    }

    /**
     * Sets the least number that is accepted.
     *
     * @param minimum included
     * @return the changed copy
     */
    public Schema minimum(int minimum) {
        return with("minimum", JSON.numberNode(minimum))
                .bounded(number -> number >= minimum, "greater than or equal to " + minimum);
    }

    /**
     * Sets the least and the greatest number that are accepted.
     *
     * @param minimum included
     * @param maximum included
     * @return the changed copy
     */
    public Schema between(int minimum, int maximum) {
        return with("minimum", JSON.numberNode(minimum))
                .with("maximum", JSON.numberNode(maximum))
                .bounded(
                        number -> number >= minimum && number <= maximum,
                        "between " + minimum + " (inclusive) and " + maximum + " (inclusive)");
    }

    /**
     * Sets the bounds between which a number is accepted.
     *
     * @param minimum excluded
     * @param maximum excluded
     * @return the changed copy
     */
    public Schema within(int minimum, int maximum) {
        return with("minimum", JSON.numberNode(minimum))
                .with("maximum", JSON.numberNode(maximum))
                .with("exclusiveMinimum", JSON.booleanNode(true))
                .with("exclusiveMaximum", JSON.booleanNode(true))
                .bounded(
                        number -> number > minimum && number < maximum,
                        "between " + minimum + " (exclusive) and " + maximum + " (exclusive)");
    }

    private Schema bounded(DoublePredicate fits, String bounds) {
        return only(
                number -> fits.test(number.doubleValue()), "rest_out_of_bounds", path -> path + " must be " + bounds);
    }

    /**
     * Says what the items of a list must look like, where a list is one of several types.
     *
     * @param items for each of them
     * @return the changed copy
     */
    public Schema items(Schema items) {
        Rule list = ListRule.of(items.rule);
        return with(
                "items",
                items.descriptor,
                (path, value) -> value.isArray() ? list.read(path, value) : rule.read(path, value));
    }

    /**
     * Sets the least number of items of a list.
     *
     * @param count 0 or more
     * @return the changed copy
     */
    public Schema minItems(int count) {
        ListRule list = list();
        return with(
                "minItems", JSON.numberNode(count), new ListRule(list.items(), count, list.most(), list.isUnique()));
    }

    /**
     * Sets the greatest number of items of a list.
     *
     * @param count 1 or more
     * @return the changed copy
     */
    public Schema maxItems(int count) {
        ListRule list = list();
        return with(
                "maxItems", JSON.numberNode(count), new ListRule(list.items(), list.least(), count, list.isUnique()));
    }

    /**
     * Sets the greatest number of characters of a text.
     *
     * @param count 1 or more, up to {@link Rule#MOST_CHARACTERS}
     * @return the changed copy
     */
    public Schema maxLength(int count) {
        return with(
                "maxLength", JSON.numberNode(count), (path, value) -> rule.read(path, Rule.atMost(count, path, value)));
    }

    /**
     * Rejects lists with an item twice.
     *
     * @return the changed copy
     */
    public Schema uniqueItems() {
        ListRule list = list();
        return with("uniqueItems", JSON.booleanNode(true), new ListRule(list.items(), list.least(), list.most(), true));
    }

    /**
     * Sets the value of what is not sent.
     *
     * @param value a value that the schema accepts
     * @return the changed copy
     */
    public Schema defaultsTo(String value) {
        return with("default", JSON.stringNode(value));
    }

    /**
     * Sets the value of what is not sent.
     *
     * @param value a value that the schema accepts
     * @return the changed copy
     */
    public Schema defaultsTo(int value) {
        return with("default", JSON.numberNode(value));
    }

    /**
     * Sets the value of what is not sent.
     *
     * @param value a value that the schema accepts
     * @return the changed copy
     */
    public Schema defaultsTo(boolean value) {
        return with("default", JSON.booleanNode(value));
    }

    /**
     * Makes an empty list the value of what is not sent.
     *
     * @return the changed copy
     */
    public Schema defaultsToNone() {
        return with("default", JSON.arrayNode());
    }

    /**
     * Names {@code null} as the value of what is not sent.
     *
     * @return the changed copy
     */
    public Schema defaultsToNull() {
        return with("default", JSON.nullNode());
    }

    /**
     * Declares a member of an object.
     *
     * @param name its name
     * @param schema what its value must look like
     * @return the changed copy
     */
    public Schema property(String name, Schema schema) {
        ObjectNode properties = JSON.objectNode();
        if (descriptor.get("properties") instanceof ObjectNode known) {
            properties.setAll(known);
        }
        ObjectRule members = members().declaring(name, schema.rule);
        boolean isRequired = schema.descriptor.path("required").asBoolean(false);
        return with(
                "properties", properties.set(name, schema.descriptor), isRequired ? members.requiring(name) : members);
    }

    /**
     * Declares an object without known members. Clients expect an empty list here.
     *
     * @return the changed copy
     */
    public Schema withoutProperties() {
        return with("properties", JSON.arrayNode());
    }

    /**
     * Names the members that an object must have.
     *
     * @param names of members
     * @return the changed copy
     */
    public Schema requiring(String... names) {
        return with("required", texts(names), members().requiring(names));
    }

    /**
     * Marks a member of an object as one that must be there.
     *
     * @return the changed copy
     */
    public Schema required() {
        return with("required", JSON.booleanNode(true));
    }

    /**
     * Rejects members that are not declared.
     *
     * @return the changed copy
     */
    public Schema closed() {
        return with("additionalProperties", JSON.booleanNode(false), members().withOthers(null));
    }

    /**
     * Says aloud that members that are not declared are welcome.
     *
     * @return the changed copy
     */
    public Schema open() {
        return with("additionalProperties", JSON.booleanNode(true));
    }

    /**
     * Says what members that are not declared must look like.
     *
     * @param schema for each of their values
     * @return the changed copy
     */
    public Schema otherProperties(Schema schema) {
        return with("additionalProperties", schema.descriptor, members().withOthers(schema.rule));
    }

    /**
     * Demands that exactly one of several schemas fits.
     *
     * @param alternatives with titles, for the message when none fits
     * @return the changed copy
     */
    public Schema oneOf(Schema... alternatives) {
        ArrayNode list = JSON.arrayNode();
        for (Schema alternative : alternatives) {
            list.add(alternative.descriptor);
        }
        List<OneOfRule.Alternative> rules = Stream.of(alternatives)
                .map(schema -> new OneOfRule.Alternative(
                        schema.descriptor.path("title").asString(""), schema.rule))
                .toList();
        return with("oneOf", list, new OneOfRule(rules, members()));
    }

    /**
     * Names the contexts in which a member is shown.
     *
     * @param contexts such as {@link Context#EVERYWHERE}
     * @return the changed copy
     */
    public Schema context(List<Context> contexts) {
        return with("context", texts(contexts.stream().map(Context::wireName).toArray(String[]::new)));
    }

    /**
     * Marks a member that is shown and never written.
     *
     * @return the changed copy
     */
    public Schema readOnly() {
        return with("readonly", JSON.booleanNode(true));
    }

    /**
     * Shows the schema as clients see it.
     *
     * @return a copy of its own
     */
    public ObjectNode describe() {
        return descriptor.deepCopy();
    }

    /**
     * Reads a value: checks it, and turns spellings into what they mean.
     *
     * @param path how messages name the value, such as {@code include[0]}
     * @param value what was sent
     * @return the value in its type; {@code 5} for {@code "5"} where an integer is asked for
     * @throws InvalidValue if the value does not fit
     */
    public JsonNode read(String path, JsonNode value) {
        return rule.read(path, value);
    }

    /** Tells the value of what is not sent; nothing where it has none. */
    @Nullable
    JsonNode defaultValue() {
        return descriptor.get("default");
    }

    private Schema with(String keyword, JsonNode value) {
        return with(keyword, value, rule);
    }

    private Schema with(String keyword, JsonNode value, Rule enforced) {
        ObjectNode copy = JSON.objectNode();
        copy.setAll(descriptor);
        return new Schema(copy.set(keyword, value), enforced);
    }

    private Schema only(Predicate<JsonNode> fits, String code, UnaryOperator<String> message) {
        return new Schema(descriptor, rule.only(fits, code, message));
    }

    private ListRule list() {
        return (ListRule) rule;
    }

    /** What is not said to be an object is one as soon as it has members. */
    private ObjectRule members() {
        return rule instanceof ObjectRule members ? members : ObjectRule.OPEN;
    }

    /** Lists names as people do. */
    private static String listed(List<String> names) {
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + (last > 1 ? ", and " : " and ") + names.get(last);
    }

    private static ArrayNode texts(String... values) {
        ArrayNode list = JSON.arrayNode();
        for (String value : values) {
            list.add(value);
        }
        return list;
    }
}

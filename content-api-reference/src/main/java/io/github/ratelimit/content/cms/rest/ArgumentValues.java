package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The arguments of a request in their types: checked, converted, and with the defaults of what was not sent.
 *
 * <p>Each accessor expects the argument to be declared with the type that it names. Immutable.
 */
public final class ArgumentValues {
    private final Function<String, @Nullable JsonNode> values;

    /**
     * Takes the values.
     *
     * @param values finds one by its name; nothing where it was not sent and has no default
     */
    ArgumentValues(Function<String, @Nullable JsonNode> values) {
        this.values = values;
    }

    /** The same values in another context, whichever was asked for. */
    ArgumentValues in(Context context) {
        JsonNode name = JsonNodeFactory.instance.stringNode(context.wireName());
        return new ArgumentValues(argument -> argument.equals(Context.ARGUMENT.name()) ? name : values.apply(argument));
    }

    /**
     * Says whether an argument has a value, sent or by default.
     *
     * @param name of the argument
     * @return false for {@code null} too
     */
    public boolean has(String name) {
        return value(name).isPresent();
    }

    /**
     * Finds a value as it is.
     *
     * @param name of the argument
     * @return empty where it was not sent and has no default
     */
    public Optional<JsonNode> value(String name) {
        return Optional.ofNullable(get(name)).filter(value -> !value.isNull());
    }

    /**
     * Finds a text.
     *
     * @param name of the argument
     * @return empty where it was not sent and has no default
     */
    public Optional<String> text(String name) {
        return value(name).filter(JsonNode::isString).map(JsonNode::stringValue);
    }

    /**
     * Finds a whole number.
     *
     * @param name of the argument
     * @return empty where it was not sent and has no default
     */
    public OptionalLong integer(String name) {
        Optional<JsonNode> value = value(name).filter(JsonNode::isIntegralNumber);
        return value.isPresent() ? OptionalLong.of(value.get().longValue()) : OptionalLong.empty();
    }

    /**
     * Finds a whole number that has a default, or comes with the route.
     *
     * @param name of the argument
     * @return 0 where there is none after all
     */
    public long number(String name) {
        return integer(name).orElse(0);
    }

    /**
     * Tells a flag.
     *
     * @param name of the argument
     * @return false where it was not sent and has no default
     */
    public boolean flag(String name) {
        return value(name).map(value -> value.asBoolean(false)).orElse(false);
    }

    /**
     * Lists whole numbers.
     *
     * @param name of the argument
     * @return empty where it was not sent
     */
    public List<Long> integers(String name) {
        List<Long> numbers = new ArrayList<>();
        value(name).ifPresent(list -> list.forEach(item -> numbers.add(item.longValue())));
        return numbers;
    }

    /**
     * Lists texts; a single text, such as a default has, is a list of one.
     *
     * @param name of the argument
     * @return empty where it was not sent
     */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        value(name).ifPresent(value -> {
            if (value.isString()) {
                texts.add(value.stringValue());
            } else {
                value.forEach(item -> texts.add(item.asString("")));
            }
        });
        return texts;
    }

    @Nullable
    JsonNode get(String name) {
        return values.apply(name);
    }
}

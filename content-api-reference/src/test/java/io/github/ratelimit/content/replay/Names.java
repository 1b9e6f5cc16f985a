package io.github.ratelimit.content.replay;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * What the names between braces stand for: {@code {{posts.alpha}}} for an id, {@code {{base}}} for an address.
 *
 * <p>A group of recordings has names of its own that end with it, see {@link #inner}. Not safe for concurrent use.
 */
final class Names {

    /** A placeholder; its first group is the name. */
    static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]+)\\}\\}");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final @Nullable Names outer;
    private final Map<String, JsonNode> values = new LinkedHashMap<>();
    private final Map<String, Function<String, String>> computed = new LinkedHashMap<>();

    private Names(@Nullable Names outer) {
        this.outer = outer;
    }

    static Names create() {
        return new Names(null);
    }

    /** Returns names that know these as well, and forget what is bound to them when they are dropped. */
    Names inner() {
        return new Names(this);
    }

    void bind(String name, JsonNode value) {
        values.put(name, value);
    }

    void bind(String name, String value) {
        values.put(name, StringNode.valueOf(value));
    }

    /** Binds every name that begins with {@code prefix.} to a text made of what follows. */
    void compute(String prefix, Function<String, String> value) {
        computed.put(prefix, value);
    }

    /** Returns what was bound to these names themselves, in that order. */
    Map<String, JsonNode> bound() {
        return Collections.unmodifiableMap(values);
    }

    /** Returns the value of a name, or null if nothing is bound to it. */
    @Nullable
    JsonNode find(String name) {
        JsonNode value = values.get(name);
        if (value != null) {
            return value;
        }
        int dot = name.indexOf('.');
        Function<String, String> function = dot < 0 ? null : computed.get(name.substring(0, dot));
        if (function != null) {
            return StringNode.valueOf(function.apply(name.substring(dot + 1)));
        }
        return outer == null ? null : outer.find(name);
    }

    /**
     * Replaces every placeholder of a text.
     *
     * @throws UnknownName if nothing is bound to one of them
     */
    String text(String template) {
        Matcher matcher = PLACEHOLDER.matcher(template);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(
                    text, Matcher.quoteReplacement(get(matcher.group(1)).asString()));
        }
        return matcher.appendTail(text).toString();
    }

    /**
     * Replaces every placeholder of a value; one that stands alone becomes what is bound to it, a number for an id.
     *
     * @throws UnknownName if nothing is bound to one of them
     */
    JsonNode value(JsonNode template) {
        if (template.isString()) {
            Matcher alone = PLACEHOLDER.matcher(template.asString());
            return alone.matches() ? get(alone.group(1)) : StringNode.valueOf(text(template.asString()));
        }
        if (template.isArray()) {
            ArrayNode list = JSON.arrayNode();
            template.forEach(item -> list.add(value(item)));
            return list;
        }
        if (template.isObject()) {
            ObjectNode object = JSON.objectNode();
            template.properties().forEach(entry -> object.set(text(entry.getKey()), value(entry.getValue())));
            return object;
        }
        return template;
    }

    private JsonNode get(String name) {
        JsonNode value = find(name);
        if (value == null) {
            throw new UnknownName(name);
        }
        return value;
    }

    /** Nothing is bound to a name: what should have made it is missing, or failed. */
    static final class UnknownName extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownName(String name) {
            super("nothing is known by the name " + name);
        }
    }
}

package io.github.ratelimit.content.cms.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects.
 *
 * @param declared reads the members that are known
 * @param required names of members that must be there
 * @param others reads all other members; nothing where there may be none
 */
record ObjectRule(
        Map<String, Rule> declared,
        List<String> required,
        @Nullable Rule others) implements Rule {
    static final ObjectRule OPEN = new ObjectRule(Map.of(), List.of(), (path, value) -> value);

    ObjectRule declaring(String name, Rule member) {
        Map<String, Rule> more = new LinkedHashMap<>(declared);
        more.put(name, member);
        return new ObjectRule(more, required, others);
    }

    ObjectRule requiring(String... names) {
        List<String> more = Stream.concat(required.stream(), Stream.of(names)).toList();
        return new ObjectRule(declared, more, others);
    }

    ObjectRule withOthers(@Nullable Rule rule) {
        return new ObjectRule(declared, required, rule);
    }

    @Override
    public JsonNode read(String path, JsonNode value) {
        ObjectNode members = objectOf(path, value);
        checkRequired(path, members);
        ObjectNode read = JsonNodeFactory.instance.objectNode();
        members.properties().forEach(member -> {
            String name = member.getKey();
            Rule known = declared.get(name);
            Rule rule = known == null ? others : known;
            if (rule == null) {
                throw InvalidValue.of(
                        "rest_additional_properties_forbidden", name + " is not a valid property of " + path + ".");
            }
            read.set(name, rule.read(path + "[" + name + "]", member.getValue()));
        });
        return read;
    }

    void checkRequired(String path, ObjectNode members) {
        for (String name : required) {
            if (!members.has(name)) {
                throw InvalidValue.of("rest_property_required", name + " is a required property of " + path + ".");
            }
        }
    }

    private static ObjectNode objectOf(String path, JsonNode value) {
        if (value instanceof ObjectNode object) {
            return object;
        }
        // Forms and older clients cannot tell an empty object from an empty list or text.
        if (value.isArray() || Spelling.isEmptyText(value)) {
            ObjectNode numbered = JsonNodeFactory.instance.objectNode();
            value.values().forEach(item -> numbered.set(Integer.toString(numbered.size()), item));
            return numbered;
        }
        throw InvalidValue.type(path, "object");
    }
}

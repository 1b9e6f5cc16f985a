package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads values that exactly one of several alternatives fits.
 *
 * @param alternatives with titles, for the message when none fits
 * @param whole knows the members that all alternatives require
 */
record OneOfRule(List<Alternative> alternatives, ObjectRule whole) implements Rule {
    /**
     * One way to read a value.
     *
     * @param title a few words, or nothing
     * @param rule reads the value
     */
    record Alternative(String title, Rule rule) {
        private long declared(JsonNode value) {
            return rule instanceof ObjectRule object
                    ? value.properties().stream()
                            .filter(member -> object.declared().containsKey(member.getKey()))
                            .count()
                    : 0;
        }
    }

    /** An alternative that did not fit, and why. */
    private record Misfit(int position, Alternative alternative, InvalidValue reason) {
        private InvalidValue blame(String path) {
            String what = alternative.title().isEmpty() ? "value" : alternative.title();
            return InvalidValue.of(
                    "rest_no_matching_schema",
                    path + " is not a valid " + what + ". Reason: " + reason.text(),
                    JsonNodeFactory.instance.objectNode().put("position", position));
        }
    }

    @Override
    public JsonNode read(String path, JsonNode value) {
        List<Misfit> misfits = new ArrayList<>();
        ArrayNode fitting = JsonNodeFactory.instance.arrayNode();
        JsonNode read = null;
        for (int position = 0; position < alternatives.size(); position++) {
            Alternative alternative = alternatives.get(position);
            try {
                read = alternative.rule().read(path, value);
                fitting.add(position);
            } catch (InvalidValue reason) {
                misfits.add(new Misfit(position, alternative, reason));
            }
        }
        if (fitting.size() > 1) {
            throw InvalidValue.of(
                    "rest_one_of_multiple_matches",
                    path + " matches more than one of the expected formats.",
                    JsonNodeFactory.instance.objectNode().set("positions", fitting));
        }
        if (read == null) {
            throw noAlternative(path, value, misfits);
        }
        if (read instanceof ObjectNode members) {
            whole.checkRequired(path, members);
        }
        return read;
    }

    /** Blames the alternative that the caller most likely meant. */
    private static InvalidValue noAlternative(String path, JsonNode value, List<Misfit> misfits) {
        List<Misfit> ofType = misfits.stream()
                .filter(misfit -> !misfit.reason().isTypeOf(path))
                .toList();
        if (ofType.size() == 1) {
            return ofType.get(0).blame(path);
        }
        // Of those that declare as many of the members that were sent, the first.
        return ofType.stream()
                .filter(misfit -> misfit.alternative().declared(value) > 0)
                .max(Comparator.comparingLong(misfit -> misfit.alternative().declared(value)))
                .map(misfit -> misfit.blame(path))
                .orElseGet(() -> InvalidValue.of(
                        "rest_no_matching_schema", path + " does not match any of the expected formats."));
    }
}

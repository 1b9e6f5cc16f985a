package io.github.ratelimit.content.cms.rest;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One way to use a route.
 *
 * @param methods those it answers, at least one
 * @param arguments what it reads
 * @param batchable whether it may be one of several requests of a batch
 * @param takesFiles whether its body may have the length of an upload
 * @param foresight looks up at once what several of its requests will need, which all share what was looked up
 * @param admission who may, and what is done for them
 */
public record Endpoint(
        Set<RestMethod> methods,
        Arguments arguments,
        boolean batchable,
        boolean takesFiles,
        Consumer<List<RestRequest>> foresight,
        Admission admission) {
    /** Lets callers in. */
    @FunctionalInterface
    interface Admission {
        /**
         * Asks whether a caller may.
         *
         * @return serves the request, with what was found for it
         * @throws RestError why not
         */
        Supplier<RestAnswer> admit(RestRequest request);
    }

    /** Copies the methods. */
    public Endpoint {
        methods = Set.copyOf(methods);
    }

    /** Describes the endpoint as the index does. */
    ObjectNode describe() {
        ObjectNode described = JsonNodeFactory.instance.objectNode();
        ArrayNode names = described.putArray("methods");
        // In the order of their declaration in the enum, which is the one that clients know.
        for (RestMethod method : RestMethod.values()) {
            if (methods.contains(method)) {
                names.add(method.name());
            }
        }
        if (batchable) {
            described.putObject("allow_batch").put("v1", true);
        }
        return described.set("args", arguments.describe());
    }
}

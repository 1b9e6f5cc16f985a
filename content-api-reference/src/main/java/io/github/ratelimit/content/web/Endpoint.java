package io.github.ratelimit.content.web;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One way to use a route.
 *
 * @param methods those it answers, at least one
 * @param arguments what it reads
 * @param permission who may
 * @param batchable whether it may be one of several requests of a batch
 * @param parts which requests one of its requests holds; none, for most
 * @param handler what it does
 */
public record Endpoint(
        Set<RestMethod> methods,
        Arguments arguments,
        Permission permission,
        boolean batchable,
        Function<RestRequest, List<RestPart>> parts,
        Handler handler) {
    /** Most requests are only themselves. */
    static final Function<RestRequest, List<RestPart>> ITSELF = request -> List.of();

    /** Copies the methods. */
    public Endpoint {
        methods = Set.copyOf(methods);
    }

    boolean holdsOthers() {
        return parts != ITSELF;
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

package io.github.ratelimit.content.web;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One argument of an endpoint: its name, what it must look like, and whether it must be there.
 *
 * @param name as clients send it
 * @param schema what it must look like
 * @param required whether a request without it is refused
 * @param reader turns what was sent into what the handler sees
 */
public record Argument(String name, Schema schema, boolean required, Reader reader) {
    /** Reads what was sent as an argument. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Checks a value and turns it into its type.
         *
         * @param request the request that it came with; its other arguments are not read yet
         * @param value what was sent, not {@code null} in JSON
         * @return what the handler sees
         * @throws InvalidValue if the value does not fit
         */
        JsonNode read(RestRequest request, JsonNode value);
    }

    /**
     * Declares an argument that may be left out, read by its schema.
     *
     * @param name as clients send it
     * @param schema what it must look like
     * @return the argument
     */
    public static Argument optional(String name, Schema schema) {
        return new Argument(name, schema, false, (request, value) -> schema.read(name, value));
    }

    /**
     * Declares an argument that must be there, read by its schema.
     *
     * @param name as clients send it
     * @param schema what it must look like
     * @return the argument
     */
    public static Argument required(String name, Schema schema) {
        return new Argument(name, schema, true, (request, value) -> schema.read(name, value));
    }

    /**
     * Reads the argument in a way of its own; the schema stays what clients see.
     *
     * @param own checks and converts
     * @return the changed copy
     */
    public Argument readBy(Reader own) {
        return new Argument(name, schema, required, own);
    }

    /**
     * Takes whatever is sent, and leaves it to the handler what to make of it.
     *
     * @return the changed copy
     */
    public Argument readAsSent() {
        return readBy((request, value) -> value);
    }

    ObjectNode describe() {
        return schema.describe().put("required", required);
    }
}

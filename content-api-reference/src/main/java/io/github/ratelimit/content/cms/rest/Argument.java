package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.text.Letters;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One argument of an endpoint: its name, what it must look like, and whether it must be there.
 *
 * @param name as clients send it
 * @param schema what it must look like
 * @param required whether a request without it is rejected
 * @param reader turns what was sent into what the handler sees
 * @param readsNull whether {@code null} is read, too; else it counts as not sent
 * @param first whether it is complained about alone, before arguments that are not
 */
public record Argument(String name, Schema schema, boolean required, Reader reader, boolean readsNull, boolean first) {
    /** Reads what was sent as an argument. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Checks a value and turns it into its type.
         *
         * @param request the request that it came with; its other arguments are not read yet
         * @param value what was sent; {@code null} in JSON only where the argument reads it
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
        return new Argument(name, schema, false, (request, value) -> schema.read(name, value), false, false);
    }

    /**
     * Declares an argument that a request may leave out, and whose {@code null} is a value like any other.
     *
     * @param name of the argument
     * @param schema of its values; it decides whether {@code null} is one
     * @return the argument
     */
    public static Argument nullable(String name, Schema schema) {
        return optional(name, schema).readingNull();
    }

    /**
     * Declares an argument that must be there, read by its schema.
     *
     * @param name as clients send it
     * @param schema what it must look like
     * @return the argument
     */
    public static Argument required(String name, Schema schema) {
        return new Argument(name, schema, true, (request, value) -> schema.read(name, value), false, false);
    }

    /**
     * Reads the argument in a way of its own; the schema stays what clients see.
     *
     * @param own checks and converts
     * @return the changed copy
     */
    public Argument readBy(Reader own) {
        return new Argument(name, schema, required, own, readsNull, first);
    }

    /**
     * Complains about the argument before others are looked at.
     *
     * @return the changed copy
     */
    public Argument checkedFirst() {
        return new Argument(name, schema, required, reader, readsNull, true);
    }

    /**
     * Reads {@code null} like any other value, so that it is rejected where the schema does not allow it.
     *
     * @return the changed copy
     */
    public Argument readingNull() {
        return new Argument(name, schema, required, reader, true, first);
    }

    /**
     * Takes a text as it is sent, or as the member {@code raw}, and leaves it to the handler what else to ignore. A list or an object is
     * no text: ignored, a client would lose what it wrote.
     *
     * @return the changed copy
     */
    public Argument readAsText() {
        return readBy((request, value) -> {
            if (value.path("raw").isContainer()) {
                throw InvalidValue.type(name + "[raw]", "string");
            }
            return value;
        });
    }

    /**
     * Reads the beginning of a text and no more, for what is made of a text of any length.
     *
     * @param most how many characters
     * @return the changed copy
     */
    public Argument readingBeginning(int most) {
        Reader whole = reader;
        return readBy((request, value) -> whole.read(
                request,
                value.isString()
                        ? JsonNodeFactory.instance.stringNode(Letters.beginning(value.stringValue(), most))
                        : value));
    }

    Argument asRequired() {
        return new Argument(name, schema, true, reader, readsNull, first);
    }

    /** Reads what a request sends; nothing where it sends none, or what counts as none. */
    @Nullable
    JsonNode read(RestRequest request) {
        JsonNode sent = request.sent(name);
        return sent == null || (sent.isNull() && !readsNull) ? null : reader.read(request, sent);
    }

    /** Tells the value of what is not sent, or cannot be read. */
    @Nullable
    JsonNode usual() {
        return schema.defaultValue();
    }

    ObjectNode describe() {
        return schema.describe().put("required", required);
    }
}

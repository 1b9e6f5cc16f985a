package io.github.ratelimit.content.cms.rest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Says what is wrong with the value of one argument. Becomes an entry of {@code data.details} of the answer. */
public final class InvalidValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final transient @Nullable ObjectNode data;
    private final boolean detailed;

    private InvalidValue(String code, String message, @Nullable ObjectNode data, boolean detailed) {
        // Thrown for ordinary bad input: a stack trace would cost more than the request.
        super(message, null, false, false);
        this.code = code;
        this.data = data;
        this.detailed = detailed;
    }

    /**
     * Rejects a value.
     *
     * @param code for clients, such as {@code rest_not_in_enum}
     * @param message for people; names the argument
     * @return what to throw
     */
    public static InvalidValue of(String code, String message) {
        return new InvalidValue(code, message, null, true);
    }

    /**
     * Rejects a value, with members for {@code data}.
     *
     * @param code for clients
     * @param message for people; names the argument
     * @param data what a client can do something with
     * @return what to throw
     */
    public static InvalidValue of(String code, String message, ObjectNode data) {
        return new InvalidValue(code, message, data, true);
    }

    /**
     * Rejects a value without saying why: the argument is named in {@code params}, and {@code details} stays silent.
     *
     * @return what to throw
     */
    public static InvalidValue undetailed() {
        return new InvalidValue("rest_invalid_param", "Invalid parameter.", null, false);
    }

    static InvalidValue type(String path, String type) {
        return of(
                "rest_invalid_type",
                path + " is not of type " + type + ".",
                JsonNodeFactory.instance.objectNode().put("param", path));
    }

    String code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** Says whether the value of this name as a whole has the wrong type, and not a part of it. */
    boolean isTypeOf(String path) {
        return code.equals("rest_invalid_type")
                && data != null
                && path.equals(data.path("param").asString(""));
    }

    boolean isDetailed() {
        return detailed;
    }

    JsonNode describe() {
        ObjectNode described = JsonNodeFactory.instance.objectNode().put("code", code);
        described.put("message", text());
        return described.set("data", data == null ? JsonNodeFactory.instance.nullNode() : data);
    }
}

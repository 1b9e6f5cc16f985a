package io.github.ratelimit.content.cms.rest;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The body of an answer: a tree, a tree that was already written, or text of another type. */
public final class RestBody {
    /** The type of JSON answers. */
    public static final String JSON_TYPE = "application/json; charset=UTF-8";

    private final Supplier<JsonNode> tree;
    private final byte @Nullable [] encoded;
    private final String contentType;

    private RestBody(Supplier<JsonNode> tree, byte @Nullable [] encoded, String contentType) {
        this.tree = tree;
        this.encoded = encoded;
        this.contentType = contentType;
    }

    /**
     * Takes a tree as it is.
     *
     * @param tree belongs to the body from now on
     * @return a body of JSON
     */
    public static RestBody of(JsonNode tree) {
        return new RestBody(() -> tree, null, JSON_TYPE);
    }

    /**
     * Takes the written form of a tree that many answers share.
     *
     * @param encoded JSON in UTF-8; nobody changes it from now on
     * @return a body of JSON, which is parsed again for requests that want only parts of it
     */
    public static RestBody encoded(byte[] encoded) {
        return new RestBody(() -> RestJson.tree(encoded), encoded, JSON_TYPE);
    }

    /**
     * Takes text that is no JSON.
     *
     * @param text the body
     * @param contentType its type, with {@code charset=UTF-8}
     * @return a body that shaping leaves alone
     */
    public static RestBody text(String text, String contentType) {
        return new RestBody(
                () -> JsonNodeFactory.instance.stringNode(text), text.getBytes(StandardCharsets.UTF_8), contentType);
    }

    /**
     * Shows the body as a tree.
     *
     * @return the tree, which the caller may change; for text of another type, that text as a JSON string
     */
    public JsonNode tree() {
        return tree.get();
    }

    /**
     * Tells the type of the body.
     *
     * @return with its character set
     */
    public String contentType() {
        return contentType;
    }

    /**
     * Says whether the body is JSON, and so may be shaped.
     *
     * @return false for text of another type
     */
    public boolean isJson() {
        return contentType.equals(JSON_TYPE);
    }

    /** Returns the written form, unless there is none yet, or another one is wished for. */
    byte @Nullable [] encoded(boolean indented) {
        return indented && isJson() ? null : encoded;
    }
}

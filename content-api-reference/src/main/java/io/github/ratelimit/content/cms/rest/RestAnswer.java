package io.github.ratelimit.content.cms.rest;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a route answers: a status, headers and a body, before any shaping.
 *
 * <p>Immutable but for the body, which belongs to whoever holds the answer last: shaping takes members out of it.
 *
 * @param status of HTTP, 200 or more
 * @param headers that the route set, in the order in which it set them; cannot be changed
 * @param body the answer itself
 * @param members those that a selection treats in a special way
 */
public record RestAnswer(int status, Map<String, String> headers, Body body, Members members) {
    /** For those whose answer never comes: it belongs to what carries an answer, and never into an envelope. */
    private static final String UPLOAD = "X-WP-Upload-Attachment-ID";

    private static final Map<String, String> NO_HEADERS = Map.of();
    private static final Set<String> NUMBERS = Set.of("X-WP-Total", "X-WP-TotalPages");

    /**
     * The members that a selection treats in a special way.
     *
     * @param linking the links are shown with this member; empty if they are always shown
     * @param whole members that cannot be selected in parts
     */
    public record Members(String linking, Set<String> whole) {
        static final Members USUAL = new Members("_links", Set.of());
    }

    /** The body of an answer: a tree, a tree that was already written, or text of another type. */
    public static final class Body {
        /** The type of JSON answers. */
        public static final String JSON_TYPE = "application/json; charset=UTF-8";

        private final Supplier<JsonNode> tree;
        private final byte @Nullable [] encoded;
        private final String contentType;

        private Body(Supplier<JsonNode> tree, byte @Nullable [] encoded, String contentType) {
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
        public static Body of(JsonNode tree) {
            return new Body(() -> tree, null, JSON_TYPE);
        }

        /**
         * Takes the written form of a tree that many answers share.
         *
         * @param encoded JSON in UTF-8; nobody changes it from now on
         * @return a body of JSON, which is parsed again for requests that want only parts of it
         */
        public static Body encoded(byte[] encoded) {
            return new Body(() -> RestJson.tree(encoded), encoded, JSON_TYPE);
        }

        /**
         * Takes text that is no JSON.
         *
         * @param text the body
         * @param contentType its type, with {@code charset=UTF-8}
         * @return a body that shaping leaves alone
         */
        public static Body text(String text, String contentType) {
            return new Body(
                    () -> JsonNodeFactory.instance.stringNode(text),
                    text.getBytes(StandardCharsets.UTF_8),
                    contentType);
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

    /**
     * Answers 200.
     *
     * @param body what to say
     * @return without headers
     */
    public static RestAnswer ok(JsonNode body) {
        return of(200, body);
    }

    /**
     * Answers in JSON.
     *
     * @param status of HTTP
     * @param body what to say
     * @return without headers
     */
    public static RestAnswer of(int status, JsonNode body) {
        return new RestAnswer(status, NO_HEADERS, Body.of(body), Members.USUAL);
    }

    /**
     * Answers with a body that is no tree of its own, or no JSON at all.
     *
     * @param status of HTTP
     * @param body what to say
     * @return without headers
     */
    public static RestAnswer of(int status, Body body) {
        return new RestAnswer(status, NO_HEADERS, body, Members.USUAL);
    }

    /**
     * Answers 201 for what was made.
     *
     * @param body what it is
     * @param location its address
     * @return with the header {@code Location}
     */
    public static RestAnswer created(JsonNode body, String location) {
        return of(201, body).withHeader("Location", location);
    }

    /**
     * Answers 200 for what was deleted for good.
     *
     * @param previous what it was; loses its links, which lead nowhere now
     * @return the answer
     */
    public static RestAnswer deleted(ObjectNode previous) {
        previous.remove("_links");
        return ok(JsonNodeFactory.instance.objectNode().put("deleted", true).set("previous", previous));
    }

    /**
     * Sets a header.
     *
     * @param name as it is to be written
     * @param value without line breaks
     * @return the changed copy
     */
    public RestAnswer withHeader(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        changed.put(name, value);
        return new RestAnswer(status, Collections.unmodifiableMap(changed), body, members);
    }

    /**
     * Replaces the body.
     *
     * @param changed what to say instead
     * @return the changed copy
     */
    public RestAnswer withBody(JsonNode changed) {
        return withBody(Body.of(changed));
    }

    /**
     * Replaces the body by one of any type.
     *
     * @param changed what to say instead
     * @return the changed copy
     */
    public RestAnswer withBody(Body changed) {
        return new RestAnswer(status, headers, changed, members);
    }

    /**
     * Shows the links of an item with one of its members.
     *
     * @param member its name; empty for links that are always shown
     * @return the changed copy
     */
    public RestAnswer linkedBy(String member) {
        return new RestAnswer(status, headers, body, new Members(member, members.whole()));
    }

    /**
     * Names members that cannot be selected in parts.
     *
     * @param names of the members of an item
     * @return the changed copy
     */
    public RestAnswer withWhole(Set<String> names) {
        return new RestAnswer(status, headers, body, new Members(members.linking(), names));
    }

    /**
     * Says whether this is an error.
     *
     * @return whether the status is 400 or more
     */
    public boolean isError() {
        return status >= 400;
    }

    /**
     * Puts status and headers into a body, for clients that see nothing else.
     *
     * @return what an envelope, or a member of a batch, holds
     */
    public ObjectNode envelope() {
        JsonNodeFactory json = JsonNodeFactory.instance;
        ObjectNode envelope = json.objectNode();
        envelope.set("body", body.tree());
        envelope.put("status", status);
        ObjectNode shown = json.objectNode();
        headers.forEach((name, value) -> {
            if (NUMBERS.contains(name)) {
                shown.put(name, Long.parseLong(value));
            } else if (!name.equals(UPLOAD)) {
                shown.put(name, value);
            }
        });
        // Clients expect an empty list where there are no headers.
        return envelope.set("headers", shown.isEmpty() ? json.arrayNode() : shown);
    }
}

package io.github.ratelimit.content.cms.rest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a route answers: a status, headers and a body, before any shaping.
 *
 * <p>Immutable but for the body, which belongs to whoever holds the answer last: shaping takes members out of it.
 */
public final class RestAnswer {
    /** For those whose answer never comes: it belongs to what carries an answer, and never into an envelope. */
    private static final String UPLOAD = "X-WP-Upload-Attachment-ID";

    private static final Map<String, String> NO_HEADERS = Map.of();
    private static final Set<String> NUMBERS = Set.of("X-WP-Total", "X-WP-TotalPages");

    private final int status;
    private final Map<String, String> headers;
    private final RestBody body;
    private final Members members;

    /**
     * The members that a selection treats in a special way.
     *
     * @param linking the links are shown with this member; empty if they are always shown
     * @param whole members that cannot be selected in parts
     */
    record Members(String linking, Set<String> whole) {
        static final Members USUAL = new Members("_links", Set.of());
    }

    private RestAnswer(int status, Map<String, String> headers, RestBody body, Members members) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.members = members;
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
        return new RestAnswer(status, NO_HEADERS, RestBody.of(body), Members.USUAL);
    }

    /**
     * Answers with a body that is no tree of its own, or no JSON at all.
     *
     * @param status of HTTP
     * @param body what to say
     * @return without headers
     */
    public static RestAnswer of(int status, RestBody body) {
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
        return withBody(RestBody.of(changed));
    }

    /**
     * Replaces the body by one of any type.
     *
     * @param changed what to say instead
     * @return the changed copy
     */
    public RestAnswer withBody(RestBody changed) {
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

    Members members() {
        return members;
    }

    /**
     * Tells the status of HTTP.
     *
     * @return 200 or more
     */
    public int status() {
        return status;
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
     * Lists the headers that the route set.
     *
     * @return in the order they were set; cannot be changed
     */
    public Map<String, String> headers() {
        return headers;
    }

    /**
     * Tells what the answer says.
     *
     * @return the body
     */
    public RestBody body() {
        return body;
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

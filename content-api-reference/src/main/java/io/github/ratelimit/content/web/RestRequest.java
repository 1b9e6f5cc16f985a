package io.github.ratelimit.content.web;

import io.github.ratelimit.content.security.Caller;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to a route, wherever it came from: HTTP, a batch, or a link that is embedded.
 *
 * <p>Its parts do not change; only what it {@linkplain #remember remembers} does. Belongs to one thread.
 */
public final class RestRequest {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final RestMethod method;
    private final String route;
    private final Origin origin;
    private final ObjectNode query;
    private final @Nullable ObjectNode form;
    private final @Nullable ObjectNode json;
    private final @Nullable RestError malformed;
    private final Payload payload;
    private final Map<String, String> path;
    private final ArgumentValues arguments;
    private final Map<Object, Object> memory;

    /**
     * What a request shares with those that it causes: who asks, through which address.
     *
     * @param caller who asks
     * @param baseUrl the site's address as the caller knows it, without a slash at its end
     * @param remoteAddress the peer of the connection
     * @param headers finds a header's value, in any case
     */
    public record Origin(Caller caller, String baseUrl, String remoteAddress, HeaderLookup headers) {}

    /** Finds headers. */
    @FunctionalInterface
    public interface HeaderLookup {
        /**
         * Finds a header.
         *
         * @param name in any case
         * @return empty where it was not sent
         */
        Optional<String> header(String name);
    }

    /** The parts of a request while it is put together. */
    static final class Draft {
        private final RestMethod method;
        private final String route;
        private final Origin origin;
        private final ObjectNode query;
        private @Nullable ObjectNode form;
        private @Nullable ObjectNode json;
        private @Nullable RestError malformed;
        private Payload payload = Payload.NONE;

        Draft(RestMethod method, String route, Origin origin, ObjectNode query) {
            this.method = method;
            this.route = route;
            this.origin = origin;
            this.query = query;
        }

        Draft form(ObjectNode fields) {
            this.form = fields;
            return this;
        }

        Draft json(ObjectNode members) {
            this.json = members;
            return this;
        }

        /** Keeps why the body cannot be read: a missing route is told first. */
        Draft malformed(RestError reason) {
            this.malformed = reason;
            return this;
        }

        Draft payload(Payload body) {
            this.payload = body;
            return this;
        }

        RestRequest request() {
            return new RestRequest(this);
        }
    }

    private RestRequest(Draft draft) {
        this.method = draft.method;
        this.route = draft.route;
        this.origin = draft.origin;
        this.query = draft.query;
        this.form = draft.form;
        this.json = draft.json;
        this.malformed = draft.malformed;
        this.payload = draft.payload;
        this.path = Map.of();
        this.arguments = new ArgumentValues(NOTHING);
        this.memory = new HashMap<>();
    }

    private RestRequest(RestRequest original, Map<String, String> path, ArgumentValues arguments) {
        this.method = original.method;
        this.route = original.route;
        this.origin = original.origin;
        this.query = original.query;
        this.form = original.form;
        this.json = original.json;
        this.malformed = original.malformed;
        this.payload = original.payload;
        this.path = path;
        this.arguments = arguments;
        this.memory = original.memory;
    }

    /**
     * Makes a request as if a caller had sent it: one of a batch, or a link that is followed.
     *
     * @param method what to do
     * @param route where
     * @param query arguments of the address
     * @param body arguments of a body, or nothing
     * @return a request with the same origin as this one
     */
    public RestRequest within(RestMethod method, String route, ObjectNode query, @Nullable ObjectNode body) {
        Draft draft = new Draft(method, route, origin, query);
        return body == null ? draft.request() : draft.form(body).request();
    }

    /**
     * Makes a request of an address, as if a caller had sent it.
     *
     * @param method what to do
     * @param address a route, perhaps with a query behind it
     * @param body arguments of a body, or nothing
     * @return a request with the same origin as this one
     * @throws RestError if the address is not one of a route of this site
     */
    public RestRequest within(RestMethod method, String address, @Nullable ObjectNode body) {
        String whole = address.contains("#") ? address.substring(0, address.indexOf('#')) : address;
        int mark = whole.indexOf('?');
        String place = mark < 0 ? whole : whole.substring(0, mark);
        if (place.isEmpty() || place.startsWith("//") || place.contains(":")) {
            throw RestError.of(400, "parse_path_failed", "Could not parse the path.");
        }
        ObjectNode arguments = FormParser.parse(mark < 0 ? "" : whole.substring(mark + 1));
        return within(method, FormParser.decodePath(place), arguments, body);
    }

    /**
     * Makes a request that nobody sent: the server uses its own interface, as an account that may.
     *
     * @param method what to do
     * @param route where
     * @param caller as whom
     * @param baseUrl the site's address, for what the answer says
     * @param body arguments
     * @return a request without headers
     */
    public static RestRequest ofServer(
            RestMethod method, String route, Caller caller, String baseUrl, ObjectNode body) {
        Origin origin = new Origin(caller, baseUrl, "", name -> Optional.empty());
        return new Draft(method, route, origin, JsonNodeFactory.instance.objectNode())
                .json(body)
                .request();
    }

    RestRequest on(Map<String, String> pathValues) {
        return new RestRequest(this, pathValues, arguments);
    }

    RestRequest with(ArgumentValues read) {
        return new RestRequest(this, path, read);
    }

    /**
     * Tells what to do.
     *
     * @return the method, after any override
     */
    public RestMethod method() {
        return method;
    }

    /**
     * Tells where.
     *
     * @return the route as it was sent, such as {@code /cms/v2/posts/7}
     */
    public String route() {
        return route;
    }

    /**
     * Tells who asks.
     *
     * @return the caller
     */
    public Caller caller() {
        return origin.caller();
    }

    /**
     * Tells the site's address as the caller knows it.
     *
     * @return without a slash at its end
     */
    public String baseUrl() {
        return origin.baseUrl();
    }

    /**
     * Tells the peer of the connection.
     *
     * @return an address; of a proxy, where there is one
     */
    public String remoteAddress() {
        return origin.remoteAddress();
    }

    /**
     * Finds a header.
     *
     * @param name in any case
     * @return empty where it was not sent
     */
    public Optional<String> header(String name) {
        return origin.headers().header(name);
    }

    /**
     * Tells the arguments in their types.
     *
     * @return those that the endpoint declares, and the named segments of its path
     */
    public ArgumentValues arguments() {
        return arguments;
    }

    /**
     * Finds a text in the query, and nowhere else.
     *
     * @param name of the parameter
     * @return as it was sent; empty where it was not sent, or is empty
     */
    public Optional<String> queryText(String name) {
        return Optional.of(query.path(name).asString("")).filter(text -> !text.isEmpty());
    }

    /**
     * Tells what the request carries besides arguments.
     *
     * @return files
     */
    public Payload payload() {
        return payload;
    }

    /**
     * Says whether an argument was sent as {@code null}, which some handlers take as a wish to reset.
     *
     * @param name of the argument
     * @return false where it was not sent at all
     */
    public boolean isSentAsNull(String name) {
        JsonNode sent = sent(name);
        return sent != null && sent.isNull();
    }

    /**
     * Keeps what was looked up for this request, so that permission, handler and links look once.
     *
     * @param key names what is looked up; equal keys mean the same thing
     * @param lookUp finds it
     * @return what was found, now or before
     * @param <T> its type, the same for equal keys
     */
    @SuppressWarnings("unchecked")
    public <T> T remember(Object key, Supplier<T> lookUp) {
        Object known = memory.get(key);
        if (known == null) {
            known = lookUp.get();
            memory.put(key, known);
        }
        return (T) known;
    }

    /** Forgets what was looked up. To be called after something was written. */
    public void forget() {
        memory.clear();
    }

    /**
     * Finds what was sent under a name that the endpoint does not declare. Some routes are described without arguments
     * and read some all the same; what they find was not checked by any schema.
     *
     * @param name of the argument
     * @return empty where it was not sent
     */
    public Optional<JsonNode> undeclared(String name) {
        return Optional.ofNullable(sent(name));
    }

    /**
     * Spells the address of this request with another page.
     *
     * @param page 1 or more
     * @return the whole query in its order, arguments as they were understood
     */
    public String addressOfPage(long page) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put(RestAddress.ROUTE_PARAMETER, route);
        query.properties().forEach(parameter -> {
            JsonNode typed = arguments.tree().get(parameter.getKey());
            all.set(parameter.getKey(), typed == null ? parameter.getValue() : typed);
        });
        all.put("page", page);
        return RestAddress.of(baseUrl(), all);
    }

    /**
     * Finds what was sent under a name, before it is read as an argument.
     *
     * @param name of the argument
     * @return JSON before form before query before path; empty where nothing was sent
     */
    public Optional<JsonNode> raw(String name) {
        return Optional.ofNullable(sent(name));
    }

    /** Finds what was sent under a name: JSON before form before query before path, as clients expect. */
    @Nullable
    JsonNode sent(String name) {
        JsonNode value = json == null ? null : json.get(name);
        if (value == null && form != null) {
            value = form.get(name);
        }
        if (value == null) {
            value = query.get(name);
        }
        String segment = value == null ? path.get(name) : null;
        return segment == null ? value : JsonNodeFactory.instance.stringNode(segment);
    }

    Map<String, String> path() {
        return path;
    }

    ObjectNode query() {
        return query;
    }

    Optional<RestError> malformed() {
        return Optional.ofNullable(malformed);
    }
}

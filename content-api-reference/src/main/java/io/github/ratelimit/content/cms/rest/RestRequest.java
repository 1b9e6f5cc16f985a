package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.server.http.UnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to a route, wherever it came from: HTTP, a batch, or a link that is embedded.
 *
 * <p>Its parts do not change; only what a {@link Lookup} keeps with it does. Belongs to one thread.
 */
public final class RestRequest {
    private final RestMethod method;
    private final String route;
    private final Origin origin;
    private final ObjectNode query;
    private final ReadBody body;
    private final Map<String, String> path;
    private final ArgumentValues arguments;
    private final Memory memory;
    /** The members that it selects; read when the first one is asked for. */
    private @Nullable Set<String> selected;

    /**
     * What a request shares with those that it causes: who asks, through which address.
     *
     * @param caller who asks
     * @param baseUrl the site's address as the caller knows it, without a slash at its end
     * @param headers finds a header's value, in any case
     * @param guesses limits how often a password may be wrong
     * @param room for the texts of the answer, in characters
     * @param shown of texts that are written
     */
    public record Origin(
            Caller caller,
            String baseUrl,
            HeaderLookup headers,
            Supplier<Guess> guesses,
            LongConsumer room,
            ShownText shown) {
        Origin(Caller caller, String baseUrl, HeaderLookup headers, Supplier<Guess> guesses, LongConsumer room) {
            this(caller, baseUrl, headers, guesses, room, new ShownText());
        }
    }

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

    RestRequest(RestMethod method, String route, Origin origin, ObjectNode query) {
        this(method, route, origin, query, ReadBody.NONE, Map.of(), new ArgumentValues(name -> null), new Memory());
    }

    private RestRequest(
            RestMethod method,
            String route,
            Origin origin,
            ObjectNode query,
            ReadBody body,
            Map<String, String> path,
            ArgumentValues arguments,
            Memory memory) {
        this.method = method;
        this.route = route;
        this.origin = origin;
        this.query = query;
        this.body = body;
        this.path = path;
        this.arguments = arguments;
        this.memory = memory;
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
        RestRequest request = new RestRequest(method, route, origin, query);
        return body == null ? request : request.withBody(ReadBody.ofForm(body, Payload.NONE));
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
        Origin origin = new Origin(caller, baseUrl, name -> Optional.empty(), Guess::free, characters -> {});
        return new RestRequest(method, route, origin, JsonNodeFactory.instance.objectNode())
                .withBody(ReadBody.ofJson(body));
    }

    RestRequest withBody(ReadBody read) {
        return new RestRequest(method, route, origin, query, read, path, arguments, memory);
    }

    RestRequest on(Map<String, String> pathValues) {
        return new RestRequest(method, route, origin, query, body, pathValues, arguments, memory);
    }

    RestRequest with(ArgumentValues read) {
        return new RestRequest(method, route, origin, query, body, path, read, memory);
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
     * Rejects callers who lack a right.
     *
     * @param right what they need
     * @param code for clients, if they lack it
     * @param message for people
     * @throws RestError if the caller may not
     */
    public void require(Capability right, String code, String message) {
        if (!caller().may(right)) {
            throw RestError.forbidden(caller(), code, message);
        }
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
     * Tells the one try of a password that the request brings, whatever it is tried against, and however often.
     *
     * @return the same until something is written
     */
    public Guess guess() {
        return memory.guess(origin.guesses());
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
        return body.payload();
    }

    /**
     * Makes a request of a link in the answer to this one. It knows what this one does, and the other way round.
     *
     * @param linked where the link leads
     * @param arguments of the address
     * @return a request to read it
     */
    RestRequest following(String linked, ObjectNode arguments) {
        return new RestRequest(
                RestMethod.GET,
                linked,
                origin,
                arguments,
                ReadBody.NONE,
                Map.of(),
                new ArgumentValues(name -> null),
                memory);
    }

    Memory memory() {
        return memory;
    }

    /**
     * Counts what is shown of the texts that this request writes; those of all members of a batch are counted together. To be called with 0 before
     * anything is rendered, so that nothing is where others have shown too much already, and with all of it whenever more is: each call takes the
     * place of the one before, since a write may start over.
     *
     * @param characters of all these texts, 0 or more
     * @param most that all may be
     * @throws RestError 400 if it is more; what was counted stays counted
     */
    public void requireShown(long characters, int most) {
        if (origin.shown().replace(memory.shown(characters), characters) > most) {
            throw RestError.tooLong(most);
        }
    }

    /**
     * Tells whether the answer may be given again. One with a passing error may not, also within an envelope or an embedded member, nor a long one.
     *
     * @return whether it may be kept
     */
    public boolean mayBeKept() {
        return memory.mayBeKept();
    }

    /**
     * Takes room for texts that are about to be read for the answer. Waits until there is some.
     *
     * @param characters of them all
     * @throws UnavailableException if the answer is too long, or there is no room for it in time
     */
    public void takeRoom(long characters) {
        memory.count(characters);
        origin.room().accept(characters);
    }

    /** Forgets what was looked up. To be called after something was written that the answer shows. */
    public void forget() {
        memory.forget();
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
            JsonNode typed = arguments.get(parameter.getKey());
            all.set(parameter.getKey(), typed == null ? parameter.getValue() : typed);
        });
        all.put("page", page);
        return RestAddress.of(baseUrl(), all);
    }

    /**
     * Finds a whole number that was sent under a name, before it is read as an argument, or where it is none.
     *
     * @param name of the argument
     * @return empty where nothing was sent, or no whole number
     */
    public Optional<Long> rawInteger(String name) {
        return raw(name).flatMap(SchemaReader::integer);
    }

    /**
     * Finds what was sent as a form field, and nowhere else.
     *
     * @param name of the field
     * @return unchecked; empty where nothing was sent
     */
    public Optional<JsonNode> formField(String name) {
        return Optional.ofNullable(body.form().get(name));
    }

    /**
     * Finds what was sent under a name, before it is read as an argument, or where the endpoint declares none of that name. Some
     * routes are described without arguments and read some all the same; no schema has checked what they find.
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
        for (ObjectNode holder : List.of(body.json(), body.form(), query)) {
            JsonNode value = holder.get(name);
            if (value != null) {
                return value;
            }
        }
        String segment = path.get(name);
        return segment == null ? null : JsonNodeFactory.instance.stringNode(segment);
    }

    /**
     * Says whether the answer to this request may show a member, so that other members are not computed.
     *
     * @param member of an item; a deleted item always shows its id
     * @return true where all members are shown
     */
    public boolean shows(String member) {
        Set<String> names = selected == null ? Shaping.members(this) : selected;
        selected = names;
        return names.isEmpty() || names.contains(member) || member.equals("id");
    }

    Map<String, String> path() {
        return path;
    }

    ObjectNode query() {
        return query;
    }

    Optional<RestError> malformed() {
        return Optional.ofNullable(body.rejection());
    }
}

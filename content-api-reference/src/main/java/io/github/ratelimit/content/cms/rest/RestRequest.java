package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.server.http.UnavailableException;
import jakarta.servlet.http.Part;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to a route, wherever it came from: HTTP, a batch, or a link that is embedded. Belongs to one thread.
 *
 * @param method after any override
 * @param route as it was sent, such as {@code /cms/v2/posts/7}
 * @param origin who asks, through which address
 * @param query the arguments of the address
 * @param body what was sent behind the head
 * @param path the named segments of the route
 * @param arguments those that the endpoint declares, in their types, and the segments of the path
 * @param found what was looked up for it
 */
public record RestRequest(
        RestMethod method,
        String route,
        Origin origin,
        ObjectNode query,
        Body body,
        Map<String, String> path,
        Arguments.Values arguments,
        Found found) {

    /**
     * What a request shares with those that it causes: who asks, through which address.
     *
     * @param caller who asks
     * @param baseUrl the site's address as the caller knows it, without a slash at its end
     * @param headers finds a header's value, in any case
     * @param guesses limits how often a password may be wrong
     * @param room for the texts of the answer, in characters
     * @param rendered the characters of the texts that were rendered so far, those of all members of a batch together
     */
    public record Origin(
            Caller caller,
            String baseUrl,
            Function<String, Optional<String>> headers,
            Supplier<Guess> guesses,
            LongConsumer room,
            AtomicLong rendered) {}

    /**
     * The body of a request after it was read.
     *
     * @param json the members of a JSON body
     * @param form the fields of a form
     * @param stream the body, if it is neither JSON nor a form nor multipart; otherwise empty
     * @param files the parts of a multipart body that have a file name
     * @param rejection the reason if the body cannot be read; an unknown route is told first
     */
    public record Body(
            ObjectNode json,
            ObjectNode form,
            InputStream stream,
            List<Part> files,
            @Nullable RestError rejection) {
        static Body none() {
            ObjectNode nothing = JsonNodeFactory.instance.objectNode();
            return new Body(nothing, nothing, InputStream.nullInputStream(), List.of(), null);
        }

        static Body ofJson(ObjectNode members) {
            return new Body(members, none().form, InputStream.nullInputStream(), List.of(), null);
        }

        static Body ofForm(ObjectNode fields, List<Part> files) {
            return new Body(none().json, fields, InputStream.nullInputStream(), files, null);
        }

        static Body ofFile(InputStream stream) {
            return new Body(none().json, none().form, stream, List.of(), null);
        }

        static Body rejected(RestError reason) {
            return new Body(none().json, none().form, InputStream.nullInputStream(), List.of(), reason);
        }
    }

    /** What was looked up for a request and for the links of its answer. Belongs to one thread. */
    static final class Found {
        // Chosen: an answer that is kept is written to memory first, and long ones are too long for that.
        private static final int MOST_KEPT = 1 << 20;

        private final Map<Lookup<?, ?>, Map<?, ?>> known = new HashMap<>();
        /** What a write gave: newer than all that was looked up before it. */
        private final Map<Lookup<?, ?>, Map<?, ?>> written = new HashMap<>();

        private @Nullable Guess guess;

        /** In characters of texts of items. */
        private long read;

        private boolean hasFailed;

        void fail() {
            hasFailed = true;
        }

        /** Shows what a look-up has found. It alone puts something there, so the types are its own. */
        @SuppressWarnings("unchecked")
        <K, V> Map<K, Optional<V>> by(Lookup<K, V> lookup) {
            return (Map<K, Optional<V>>) known.computeIfAbsent(lookup, unseen -> new HashMap<K, Optional<V>>());
        }

        /** Keeps what a write gave until behind the next forgetting. */
        <K, V> void keepWritten(Lookup<K, V> lookup, K key, Optional<V> value) {
            written.put(lookup, new HashMap<>(Map.of(key, value)));
        }
    }

    RestRequest(RestMethod method, String route, Origin origin, ObjectNode query) {
        this(method, route, origin, query, new Found());
    }

    private RestRequest(RestMethod method, String route, Origin origin, ObjectNode query, Found found) {
        this(method, route, origin, query, Body.none(), Map.of(), new Arguments.Values(name -> null), found);
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
        return body == null ? request : request.withBody(Body.ofForm(body, List.of()));
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
        Origin origin =
                new Origin(caller, baseUrl, name -> Optional.empty(), Guess::free, characters -> {}, new AtomicLong());
        return new RestRequest(method, route, origin, JsonNodeFactory.instance.objectNode())
                .withBody(Body.ofJson(body));
    }

    /** Makes a request of a link in the answer to this one. It knows what this one does, and the other way round. */
    RestRequest following(String linked, ObjectNode parameters) {
        return new RestRequest(RestMethod.GET, linked, origin, parameters, found);
    }

    RestRequest withBody(Body read) {
        return new RestRequest(method, route, origin, query, read, path, arguments, found);
    }

    RestRequest on(Map<String, String> segments) {
        return new RestRequest(method, route, origin, query, body, segments, arguments, found);
    }

    RestRequest with(Arguments.Values read) {
        return new RestRequest(method, route, origin, query, body, path, read, found);
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
        require(caller().may(right), code, message);
    }

    /**
     * Rejects callers who may not do something.
     *
     * @param isAllowed whether they may
     * @param code for clients, if they may not
     * @param message for people
     * @throws RestError if the caller may not
     */
    public void require(boolean isAllowed, String code, String message) {
        if (!isAllowed) {
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
        Guess begun = found.guess == null ? origin.guesses().get() : found.guess;
        found.guess = begun;
        return begun;
    }

    /**
     * Finds a header.
     *
     * @param name in any case
     * @return empty where it was not sent
     */
    public Optional<String> header(String name) {
        return origin.headers().apply(name);
    }

    /**
     * Counts texts that were rendered for this request; those of all members of a batch are counted together.
     *
     * @param characters of these texts; 0 before anything is rendered, so that nothing is where others have rendered too much already
     * @param most that all may be
     * @throws RestError 400 if it is more; what was counted stays counted
     */
    public void requireRendered(long characters, int most) {
        if (origin.rendered().addAndGet(characters) > most) {
            throw RestError.tooLong(most);
        }
    }

    /** Says whether the answer may be given again. One with a passing error may not, also within an envelope or an embedded member, nor a long one. */
    boolean mayBeKept() {
        return !found.hasFailed && found.read <= Found.MOST_KEPT;
    }

    /**
     * Takes room for texts that are about to be read for the answer. Waits until there is some.
     *
     * @param characters of them all
     * @throws UnavailableException if the answer is too long, or there is no room for it in time
     */
    public void takeRoom(long characters) {
        found.read += characters;
        origin.room().accept(characters);
    }

    /** Forgets what was looked up. To be called after something was written that the answer shows. */
    public void forget() {
        found.known.clear();
        found.known.putAll(found.written);
        found.written.clear();
        found.guess = null;
    }

    /**
     * Finds a whole number that was sent under a name, before it is read as an argument, or where it is none.
     *
     * @param name of the argument
     * @return empty where nothing was sent, or no whole number
     */
    public Optional<Long> rawInteger(String name) {
        return raw(name).flatMap(Spelling::integer);
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
        return Shaping.shown(this).test(member);
    }
}

package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.server.http.Causes;
import io.github.ratelimit.content.server.http.UnavailableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The one path that a request travels: route, arguments, permission, handler, shaping.
 *
 * <p>Requests over HTTP, those of a batch and those that are embedded in another answer all come through here. Safe for
 * concurrent use.
 */
@Component
public class Dispatcher {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

    private final SingletonSupplier<List<Route>> routes;

    /** Routes without parameters come first, because parameters may match their names. */
    private final SingletonSupplier<List<Route>> searched;

    private final Shaping shaping = new Shaping(this::embed);

    /**
     * Creates the path to some routes.
     *
     * @param sources asked for the first request, because some routes describe all of them
     */
    Dispatcher(ObjectProvider<Route.Source> sources) {
        this.routes = SingletonSupplier.of(() -> sources.orderedStream()
                .flatMap(source -> source.routes().stream())
                .toList());
        this.searched = SingletonSupplier.of(() -> routes().stream()
                .sorted(Comparator.comparing(Route::isFixed).reversed())
                .toList());
    }

    /**
     * Lists all routes.
     *
     * @return in the order of the index; cannot be changed
     */
    public List<Route> routes() {
        return routes.obtain();
    }

    /**
     * A request that was looked at and not yet served: what it leads to, and whether it can be served at all.
     *
     * @param request with its arguments read
     * @param route what it leads to; nothing where no route has that shape
     * @param endpoint how the route is used; nothing where the route knows no such use
     * @param rejection why it cannot be served, or nothing
     * @param path the route as it is declared, whatever letters it was asked for with; what was asked for where there is
     *     no such route
     */
    public record Prepared(
            RestRequest request,
            @Nullable Route route,
            Route.@Nullable Endpoint endpoint,
            @Nullable RestError rejection,
            String path) {
        /**
         * Rejects a request that could be served.
         *
         * @param reason why
         * @return the changed copy
         */
        public Prepared rejectedFor(RestError reason) {
            return new Prepared(request, route, endpoint, reason, path);
        }
    }

    /**
     * Serves a request, and shapes the answer as its query asks.
     *
     * @param request what is asked for
     * @return the answer; an error is an answer too, and only a client that left gets none
     */
    public RestAnswer serve(RestRequest request) {
        return serve(prepare(request));
    }

    /**
     * Finds where a request leads, and reads its arguments. Changes nothing.
     *
     * @param request what is asked for
     * @return what is known about it now
     */
    public Prepared prepare(RestRequest request) {
        return read(find(request));
    }

    /** Finds where a request leads, whose arguments are read later. */
    Prepared find(RestRequest request) {
        for (Route route : searched.obtain()) {
            Optional<Map<String, String>> segments = route.match(request.route());
            if (segments.isPresent()) {
                Route.Endpoint endpoint = route.endpoint(request.method()).orElse(null);
                RestRequest routed = request.on(segments.get());
                return endpoint == null
                        ? new Prepared(routed, route, null, RestError.noRoute(), request.route())
                        : new Prepared(routed, route, endpoint, null, route.path(segments.get()));
            }
        }
        return new Prepared(request, null, null, RestError.noRoute(), request.route());
    }

    private static Prepared read(Prepared found) {
        Route.Endpoint endpoint = found.endpoint();
        if (endpoint == null) {
            return found;
        }
        RestRequest request = found.request();
        Arguments.Reading reading = endpoint.arguments().read(request);
        RestError unreadable = request.body().rejection();
        RestError rejection = unreadable == null ? reading.rejection() : unreadable;
        return new Prepared(request.with(reading.values()), found.route(), endpoint, rejection, found.path());
    }

    /** Reads the arguments of a request whose body is read now. */
    static Prepared read(Prepared found, RestRequest whole) {
        return read(new Prepared(whole, found.route(), found.endpoint(), found.rejection(), found.path()));
    }

    /**
     * Finds out whether a caller may go where a request leads whose body is not read yet, whatever the body says.
     *
     * @param found from {@link #find}
     * @return rejected, if there is no such route, or the caller may not use it
     */
    static Prepared admit(Prepared found) {
        Prepared prepared = read(found);
        Route.Endpoint endpoint = prepared.endpoint();
        if (endpoint == null) {
            return prepared;
        }
        try {
            endpoint.admission().admit(prepared.request());
            return new Prepared(prepared.request(), prepared.route(), endpoint, null, prepared.path());
        } catch (RestError rejected) {
            // Wrong arguments are told before lacking rights, as where all is read. What is missing may come yet.
            RestError wrong = prepared.rejection();
            return wrong != null && wrong.code().equals(Arguments.INVALID) ? prepared : prepared.rejectedFor(rejected);
        }
    }

    /**
     * Serves a request that was prepared.
     *
     * @param prepared from {@link #prepare}
     * @return the shaped answer
     */
    public RestAnswer serve(Prepared prepared) {
        RestAnswer answer = run(prepared);
        if (prepared.request().method() != RestMethod.GET) {
            prepared.request().forget();
        }
        return Shaping.select(
                prepared.request(),
                prepared.endpoint() == null
                        ? answer
                        : withAllow(answer, prepared.route(), prepared.endpoint(), prepared.request()));
    }

    /**
     * Serves a request over HTTP that was prepared.
     *
     * @param prepared from {@link #prepare}
     * @return the answer in its last form
     */
    public RestAnswer answer(Prepared prepared) {
        return shaping.finish(prepared.request(), serve(prepared));
    }

    private RestAnswer run(Prepared prepared) {
        Route.Endpoint endpoint = prepared.endpoint();
        RestError rejection = prepared.rejection();
        if (rejection != null || endpoint == null) {
            return (rejection == null ? RestError.noRoute() : rejection).toAnswer();
        }
        try {
            return endpoint.admission().admit(prepared.request()).get();
        } catch (RestError error) {
            return error.toAnswer();
        } catch (RuntimeException unexpected) {
            if (Causes.leaving(unexpected).isPresent()) {
                throw unexpected; // nobody is left to be answered
            }
            return unexpected(prepared.request(), unexpected);
        }
    }

    private RestAnswer unexpected(RestRequest request, RuntimeException cause) {
        request.found().fail();
        Optional<UnavailableException> passing = Causes.passing(cause);
        if (passing.isPresent()) {
            return RestError.unavailable(passing.get());
        }
        // Names the case without telling its cause: the log has both.
        String reference = Integer.toHexString(System.identityHashCode(cause));
        log.error("request failed, reference {}", reference, cause);
        return RestError.of(500, "rest_internal_error", "Something went wrong on the server.")
                .with("reference", JsonNodeFactory.instance.stringNode(reference))
                .toAnswer();
    }

    /**
     * Describes a route to whoever asks what may be done with it.
     *
     * @param found the route, by a request whose query may ask for some members only
     * @return the description; an empty list for what is no route
     */
    RestAnswer describe(Prepared found) {
        Route route = found.route();
        if (route == null) {
            return shaping.finish(found.request(), RestAnswer.ok(JsonNodeFactory.instance.arrayNode()));
        }
        RestRequest routed = found.request();
        RestAnswer answer = RestAnswer.ok(route.describeWithSchema(routed.baseUrl()));
        return shaping.finish(routed, Shaping.select(routed, withAllow(answer, route, null, routed)));
    }

    /**
     * Adds the methods that the caller might use now; none at all are not worth a header, and what cannot be told now is not told.
     *
     * @param used by the request, whose arguments are those that it declares; nothing where no endpoint was used
     */
    private RestAnswer withAllow(
            RestAnswer answer, @Nullable Route route, Route.@Nullable Endpoint used, RestRequest request) {
        if (route == null) {
            return answer;
        }
        Set<RestMethod> allowed = EnumSet.noneOf(RestMethod.class);
        try {
            // What was made is shown as for a change, so what else may be done is told of that context.
            boolean isMade = answer.status() == 201;
            for (Route.Endpoint endpoint : route.endpoints()) {
                // Few arguments of the others matter to their permissions, and only those are read.
                RestRequest asking = endpoint.equals(used) ? request : request.with(asked(endpoint, request, isMade));
                if (mayUse(endpoint, asking)) {
                    allowed.addAll(endpoint.methods());
                }
            }
        } catch (RuntimeException untold) {
            request.found().fail();
            // The answer itself is made, and what it tells may be written already.
            if (Causes.passing(untold).isEmpty()) {
                log.error("permission could not be told", untold);
            }
            return answer;
        }
        return allowed.isEmpty()
                ? answer
                : answer.withHeader(
                        "Allow", allowed.stream().map(RestMethod::name).collect(Collectors.joining(", ")));
    }

    private static Arguments.Values asked(Route.Endpoint endpoint, RestRequest request, boolean forChange) {
        Arguments.Values values = endpoint.arguments().readWhenAsked(request);
        return forChange ? values.in(Context.EDIT) : values;
    }

    private static boolean mayUse(Route.Endpoint endpoint, RestRequest request) {
        try {
            endpoint.admission().admit(request);
            return true;
        } catch (RestError rejected) {
            return false;
        }
    }

    /** Answers links that are embedded, in their order; an empty list where this server has no such route. */
    private List<JsonNode> embed(List<RestRequest> links) {
        List<Prepared> all = links.stream().map(this::prepare).toList();
        IdentityHashMap<Route.Endpoint, List<RestRequest>> together = new IdentityHashMap<>();
        for (Prepared prepared : all) {
            if (prepared.endpoint() != null && prepared.rejection() == null) {
                together.computeIfAbsent(prepared.endpoint(), unseen -> new ArrayList<>())
                        .add(prepared.request());
            }
        }
        // What they need is looked up for all of a kind at once: a page of a hundred items has hundreds of links.
        together.forEach((endpoint, requests) -> endpoint.foresight().accept(requests));
        return all.stream()
                .map(prepared -> prepared.endpoint() == null
                        ? JsonNodeFactory.instance.arrayNode()
                        : run(prepared).body().tree())
                .toList();
    }
}

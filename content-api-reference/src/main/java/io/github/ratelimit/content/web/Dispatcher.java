package io.github.ratelimit.content.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
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

    private final RouteTable routes;
    private final Shaping shaping;

    Dispatcher(RouteTable routes) {
        this.routes = routes;
        this.shaping = new Shaping(this::embed);
    }

    /**
     * A request that was looked at and not yet served: what it leads to, and whether it can be served at all.
     *
     * @param request with its arguments read
     * @param route what it leads to; nothing where no route has that shape
     * @param endpoint how the route is used; nothing where the route knows no such use
     * @param refusal why it cannot be served, or nothing
     */
    public record Prepared(
            RestRequest request,
            @Nullable Route route,
            @Nullable Endpoint endpoint,
            @Nullable RestError refusal) {
        /**
         * Says whether the request may be one of several of a batch.
         *
         * @return whether its endpoint is there and declares so
         */
        public boolean isBatchable() {
            return endpoint != null && endpoint.batchable();
        }

        /**
         * Refuses a request that could be served.
         *
         * @param reason why
         * @return the changed copy
         */
        public Prepared refusedFor(RestError reason) {
            return new Prepared(request, route, endpoint, reason);
        }
    }

    /**
     * Serves a request, and shapes the answer as its query asks.
     *
     * @param request what is asked for
     * @return the answer; never fails, an error is an answer too
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
        Optional<RouteTable.Match> match = routes.find(request.route());
        if (match.isEmpty()) {
            return new Prepared(request, null, null, RestError.noRoute());
        }
        Route route = match.get().route();
        RestRequest routed = request.on(match.get().path());
        Optional<Endpoint> endpoint = route.endpoint(request.method());
        if (endpoint.isEmpty()) {
            return new Prepared(routed, null, null, RestError.noRoute());
        }
        ArgumentReading reading = endpoint.get().arguments().read(routed);
        RestError refusal = routed.malformed().orElse(reading.refusal());
        return new Prepared(routed.with(reading.values()), route, endpoint.get(), refusal);
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
        return shaping.shape(prepared.request(), withAllow(answer, prepared.route(), prepared.request()));
    }

    private static RestAnswer run(Prepared prepared) {
        Endpoint endpoint = prepared.endpoint();
        RestError refusal = prepared.refusal();
        if (refusal != null || endpoint == null) {
            return (refusal == null ? RestError.noRoute() : refusal).toAnswer();
        }
        try {
            endpoint.permission().check(prepared.request());
            return endpoint.handler().handle(prepared.request());
        } catch (RestError error) {
            return error.toAnswer();
        } catch (RuntimeException unexpected) {
            return unexpected(unexpected);
        }
    }

    private static RestAnswer unexpected(RuntimeException cause) {
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
     * @param request the route, and a query that may ask for some members only
     * @return the description; an empty list for what is no route
     */
    public RestAnswer describe(RestRequest request) {
        Optional<RouteTable.Match> match = routes.find(request.route());
        if (match.isEmpty()) {
            return RestAnswer.ok(JsonNodeFactory.instance.arrayNode());
        }
        Route route = match.get().route();
        RestRequest routed = request.on(match.get().path());
        RestAnswer answer = RestAnswer.ok(route.describeWithSchema(request.baseUrl()));
        return shaping.shape(routed, withAllow(answer, route, routed));
    }

    /** Adds the methods that the caller might use now; none at all are not worth a header. */
    private static RestAnswer withAllow(RestAnswer answer, @Nullable Route route, RestRequest request) {
        if (route == null) {
            return answer;
        }
        List<String> allowed = new ArrayList<>();
        for (RestMethod method : RestMethod.values()) {
            Optional<Endpoint> endpoint = route.endpoint(method);
            if (endpoint.isPresent() && mayUse(endpoint.get(), request)) {
                allowed.add(method.name());
            }
        }
        return allowed.isEmpty() ? answer : answer.withHeader("Allow", String.join(", ", allowed));
    }

    private static boolean mayUse(Endpoint endpoint, RestRequest request) {
        try {
            endpoint.permission()
                    .check(request.with(endpoint.arguments().read(request).values()));
            return true;
        } catch (RestError refused) {
            return false;
        } catch (RuntimeException unexpected) {
            log.error("permission could not be told", unexpected);
            return false;
        }
    }

    /** Answers a link that is embedded; empty where this server has no such route. */
    private Optional<RestAnswer> embed(RestRequest request) {
        Prepared prepared = prepare(request);
        return prepared.route() == null ? Optional.empty() : Optional.of(run(prepared));
    }
}

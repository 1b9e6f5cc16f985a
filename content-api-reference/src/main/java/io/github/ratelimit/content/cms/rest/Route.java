package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything there is to say about one route; nothing about it is written anywhere else.
 *
 * <pre>{@code
 * Route.at("cms/v2", "/posts/<id>")
 *         .describedBy(schema::describe)
 *         .on(GET).accepts(ID, CONTEXT).batchable().servedBy(access::toRead, posts::read)
 *         .on(DELETE).accepts(ID, FORCE).batchable().servedBy(access::toDelete, posts::delete)
 *         .build();
 * }</pre>
 *
 * <p>From it come matching, arguments, the permission check, the index, {@code OPTIONS}, {@code Allow} and what a batch
 * may hold. Immutable.
 */
public final class Route {
    /**
     * One way to use a route.
     *
     * @param methods those it answers, at least one
     * @param arguments what it reads
     * @param batchable whether it may be one of several requests of a batch
     * @param takesFiles whether its body may have the length of an upload
     * @param foresight looks up at once what several of its requests will need, which all share what was looked up
     * @param admission who may, and what is done for them
     */
    public record Endpoint(
            Set<RestMethod> methods,
            Arguments arguments,
            boolean batchable,
            boolean takesFiles,
            Consumer<List<RestRequest>> foresight,
            Admission admission) {
        /** Lets callers in. */
        @FunctionalInterface
        interface Admission {
            /**
             * Asks whether a caller may.
             *
             * @return serves the request, with what was found for it
             * @throws RestError why not
             */
            Supplier<RestAnswer> admit(RestRequest request);
        }

        /** Copies the methods, in the order that clients know. */
        public Endpoint {
            methods = Collections.unmodifiableSet(EnumSet.copyOf(methods));
        }

        /** Describes the endpoint as the index does. */
        ObjectNode describe() {
            ObjectNode described = JsonNodeFactory.instance.objectNode();
            ArrayNode names = described.putArray("methods");
            methods.forEach(method -> names.add(method.name()));
            if (batchable) {
                described.putObject("allow_batch").put("v1", true);
            }
            return described.set("args", arguments.describe());
        }
    }

    private final String namespace;
    private final RoutePattern pattern;
    private final List<Endpoint> endpoints;
    private final @Nullable Function<String, ObjectNode> schema;
    private final BiFunction<RestRequest, RestAnswer, RestAnswer> form;

    private Route(Builder builder) {
        this.namespace = builder.namespace;
        this.pattern = builder.pattern;
        this.endpoints = List.copyOf(builder.endpoints);
        this.schema = builder.schema;
        this.form = builder.form;
    }

    /**
     * Begins a declaration.
     *
     * @param namespace such as {@code cms/v2}; empty for routes beside all namespaces
     * @param path behind it, begins with a slash or is empty; {@code <name>} is a segment of digits, {@code <name:regex>}
     *     one of another shape
     * @return where the endpoints are said next
     */
    public static Builder at(String namespace, String path) {
        return new Builder(namespace, new RoutePattern(namespace, path));
    }

    /** A declaration that is not whole yet. Belongs to one thread. */
    public static final class Builder {
        private final String namespace;
        private final RoutePattern pattern;
        private final List<Endpoint> endpoints = new ArrayList<>();
        private @Nullable Function<String, ObjectNode> schema;
        private BiFunction<RestRequest, RestAnswer, RestAnswer> form = (request, answer) -> answer;

        private Builder(String namespace, RoutePattern pattern) {
            this.namespace = namespace;
            this.pattern = pattern;
        }

        /**
         * Describes what the route's items look like.
         *
         * @param description makes the JSON Schema that OPTIONS shows; gets the site's address
         * @return this
         */
        public Builder describedBy(Function<String, ObjectNode> description) {
            this.schema = description;
            return this;
        }

        /**
         * Writes the answers over HTTP in a form of the route's own: errors too, once they are in their last shape.
         *
         * @param own changes the body
         * @return this
         */
        public Builder writtenBy(BiFunction<RestRequest, RestAnswer, RestAnswer> own) {
            this.form = own;
            return this;
        }

        /**
         * Begins an endpoint.
         *
         * @param first a method
         * @param others further methods that do the same
         * @return where the rest is said next
         */
        public EndpointBuilder on(RestMethod first, RestMethod... others) {
            return new EndpointBuilder(this, EnumSet.of(first, others));
        }

        /**
         * Ends the declaration.
         *
         * @return the route
         */
        public Route build() {
            return new Route(this);
        }
    }

    /** An endpoint that is not whole yet. Nobody may use it until {@link #allowedTo} says who. */
    public static final class EndpointBuilder {
        private final Builder route;
        private final Set<RestMethod> methods;
        private Arguments arguments = Arguments.none();
        private Permission permission = request -> {
            throw RestError.forbidden(request.caller(), "rest_forbidden", "Sorry, you are not allowed to do that.");
        };
        private boolean batchable;
        private boolean takesFiles;
        private Consumer<List<RestRequest>> foresight = requests -> {};

        private EndpointBuilder(Builder route, Set<RestMethod> methods) {
            this.route = route;
            this.methods = methods;
        }

        /**
         * Declares what the endpoint reads.
         *
         * @param list of arguments
         * @return this
         */
        public EndpointBuilder accepts(Arguments list) {
            this.arguments = list;
            return this;
        }

        /**
         * Lets the endpoint be used within a batch.
         *
         * @return this
         */
        public EndpointBuilder batchable() {
            this.batchable = true;
            return this;
        }

        /**
         * Lets the body be as long as an upload, and have files as parts.
         *
         * @return this
         */
        public EndpointBuilder takingFiles() {
            this.takesFiles = true;
            return this;
        }

        /**
         * Says how to look up at once what several requests will need one by one. What a {@link Lookup} finds for one of
         * them is known to all.
         *
         * @param lookUp changes nothing else
         * @return this
         */
        public EndpointBuilder foreseeing(Consumer<List<RestRequest>> lookUp) {
            this.foresight = lookUp;
            return this;
        }

        /**
         * Says who may.
         *
         * @param rule asked before each use
         * @return this
         */
        public EndpointBuilder allowedTo(Permission rule) {
            this.permission = rule;
            return this;
        }

        /**
         * Says what the endpoint is about, for whom, and what it does with it.
         *
         * @param finder permission and look-up in one: asked before each use, and again to tell which methods the caller might
         *     use; throws where the thing is not there or the caller may not use it. Changes nothing, and keeps by a
         *     {@link Lookup} what it looks up
         * @param handler serves its requests, with what was found for each
         * @return the route's declaration
         * @param <T> what a request is about
         */
        public <T> Builder servedBy(Function<RestRequest, T> finder, BiFunction<RestRequest, T, RestAnswer> handler) {
            return end(request -> {
                T found = finder.apply(request);
                return () -> handler.apply(request, found);
            });
        }

        /**
         * Says what the endpoint does, and ends it.
         *
         * @param handler serves its requests
         * @return the route's declaration
         */
        public Builder servedBy(Function<RestRequest, RestAnswer> handler) {
            Permission rule = permission;
            return end(request -> {
                rule.check(request);
                return () -> handler.apply(request);
            });
        }

        private Builder end(Endpoint.Admission admission) {
            if (route.endpoints.stream().anyMatch(other -> !Collections.disjoint(other.methods(), methods))) {
                throw new IllegalStateException("route " + route.pattern + " declares one of " + methods + " twice");
            }
            route.endpoints.add(new Endpoint(methods, arguments, batchable, takesFiles, foresight, admission));
            return route;
        }
    }

    /**
     * Names the group of routes that this one belongs to.
     *
     * @return empty for routes beside all namespaces
     */
    public String namespace() {
        return namespace;
    }

    /**
     * Spells the pattern of the path.
     *
     * @return as the index does
     */
    public String pattern() {
        return pattern.toString();
    }

    /** Lists the ways to use it, in the order of their declaration; no method is in two of them. */
    List<Endpoint> endpoints() {
        return endpoints;
    }

    Optional<Endpoint> endpoint(RestMethod method) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.methods().contains(method))
                .findFirst();
    }

    Optional<Map<String, String>> match(String path) {
        return pattern.match(path);
    }

    String path(Map<String, String> values) {
        return pattern.path(values);
    }

    /** Gives an answer in its last shape the form in which the route writes. */
    RestAnswer written(RestRequest request, RestAnswer answer) {
        return form.apply(request, answer);
    }

    boolean isFixed() {
        return pattern.isFixed();
    }

    /**
     * Describes the route as the index does.
     *
     * @param baseUrl the site's address
     * @return a tree of its own
     */
    public ObjectNode describe(String baseUrl) {
        return describe(baseUrl, null);
    }

    /**
     * Describes the route as OPTIONS does: with the schema of its items.
     *
     * @param baseUrl the site's address
     * @return a tree of its own
     */
    public ObjectNode describeWithSchema(String baseUrl) {
        return describe(baseUrl, schema);
    }

    private ObjectNode describe(String baseUrl, @Nullable Function<String, ObjectNode> items) {
        ObjectNode described = JsonNodeFactory.instance.objectNode().put("namespace", namespace);
        ArrayNode methods = described.putArray("methods");
        for (RestMethod method : RestMethod.values()) {
            if (endpoint(method).isPresent()) {
                methods.add(method.name());
            }
        }
        ArrayNode list = described.putArray("endpoints");
        endpoints.forEach(endpoint -> list.add(endpoint.describe()));
        if (items != null) {
            described.set("schema", items.apply(baseUrl));
        }
        if (isFixed()) {
            RestAddress.link(described.putObject("_links"), "self", RestAddress.of(baseUrl, pattern.toString()));
        }
        return described;
    }

    /**
     * Who may use an endpoint that is about no single thing; the others find their thing for callers who may. Asked before the
     * handler, and again to tell which methods the caller might use.
     */
    @FunctionalInterface
    public interface Permission {
        /** Lets everybody. */
        Permission ANYONE = request -> {};

        /**
         * Returns if the caller may, and throws if not. Must be cheap to ask twice and must not change anything.
         *
         * @param request with its arguments; those that could not be read are missing
         * @throws RestError why not
         */
        void check(RestRequest request);
    }

    /** A feature that has routes. Every bean of this type is asked once, when the server starts. */
    @FunctionalInterface
    public interface Source {
        /**
         * Declares the feature's routes.
         *
         * @return in the order in which the index lists them
         */
        List<Route> routes();
    }
}

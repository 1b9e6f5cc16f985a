package io.github.ratelimit.content.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * What a site says about itself: its routes, with their methods and arguments.
 *
 * @param routes all routes, in the order of the document
 */
public record IndexDocument(List<Route> routes) {

    /** A set of characters, an escape, or any other character but a bracket. */
    private static final String PIECE = "\\[[^\\]]*\\]|\\\\.|[^()\\[]";

    private static final Pattern PARAMETER =
            Pattern.compile("\\(\\?P<(\\w+)>(?:" + PIECE + "|\\((?:" + PIECE + ")*\\))*\\)");

    /** Asks a site. */
    public static IndexDocument of(SiteClient site) {
        return of(site.get("/").json());
    }

    /** Reads a document. */
    public static IndexDocument of(JsonNode document) {
        List<Route> routes = new ArrayList<>();
        for (Map.Entry<String, JsonNode> route : document.path("routes").properties()) {
            List<Endpoint> endpoints = new ArrayList<>();
            for (JsonNode endpoint : route.getValue().path("endpoints")) {
                List<String> methods = endpoint.path("methods")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();
                Map<String, JsonNode> arguments = new LinkedHashMap<>();
                endpoint.path("args")
                        .properties()
                        .forEach(argument -> arguments.put(argument.getKey(), argument.getValue()));
                boolean batchable = endpoint.at("/allow_batch/v1").asBoolean(false);
                endpoints.add(new Endpoint(methods, arguments, batchable));
            }
            routes.add(new Route(route.getKey(), endpoints));
        }
        return new IndexDocument(routes);
    }

    /**
     * A route.
     *
     * @param pattern its pattern, with path parameters as {@code (?P<id>[\d]+)}
     * @param endpoints what it offers
     */
    public record Route(String pattern, List<Endpoint> endpoints) {

        /** Returns the names of the path parameters, in order. */
        public List<String> parameters() {
            return PARAMETER
                    .matcher(pattern)
                    .results()
                    .map(result -> result.group(1))
                    .toList();
        }

        /** Returns the path with each parameter replaced by what the function says. */
        public String path(UnaryOperator<String> parameter) {
            return PARAMETER
                    .matcher(pattern)
                    .replaceAll(result -> Matcher.quoteReplacement(parameter.apply(result.group(1))));
        }

        /** Returns the pattern as a person writes it: {@code /cms/v2/posts/<id>}. */
        public String readable() {
            return path(parameter -> "<" + parameter + ">");
        }
    }

    /**
     * One entry of a route.
     *
     * @param methods the methods it answers
     * @param arguments the descriptors of its arguments, by name
     * @param batchable whether it may be part of a batch
     */
    public record Endpoint(List<String> methods, Map<String, JsonNode> arguments, boolean batchable) {}
}

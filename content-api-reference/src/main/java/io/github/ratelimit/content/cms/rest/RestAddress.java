package io.github.ratelimit.content.cms.rest;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Addresses of this interface, {@code {base}/index.php?rest_route=<route>}, and the links of answers that lead to them. */
public final class RestAddress {
    /** The path of the interface below the site's address. */
    public static final String PATH = "/index.php";

    /** The query parameter that names the route. */
    public static final String ROUTE_PARAMETER = "rest_route";

    private RestAddress() {}

    /**
     * Spells the address of a route.
     *
     * @param baseUrl the site's address, without a slash at its end
     * @param route such as {@code /cms/v2/posts/7}
     * @return with the route's slashes as they are
     */
    public static String of(String baseUrl, String route) {
        return baseUrl + PATH + "?" + ROUTE_PARAMETER + "=" + route;
    }

    /**
     * Spells the address of a route with arguments; here the route is percent-encoded like any other value.
     *
     * @param baseUrl the site's address
     * @param route such as {@code /cms/v2/posts}
     * @param name of an argument
     * @param value of that argument
     * @return the address
     */
    public static String with(String baseUrl, String route, String name, long value) {
        return baseUrl + PATH + "?" + ROUTE_PARAMETER + "=" + encode(route) + "&" + encode(name) + "=" + value;
    }

    /**
     * Spells the address of a request: its whole query, in order, with typed values as they were understood.
     *
     * @param baseUrl the site's address
     * @param query the arguments of the query, {@code rest_route} among them
     * @return the address
     */
    static String of(String baseUrl, ObjectNode query) {
        StringBuilder address = new StringBuilder(baseUrl).append(PATH);
        char separator = '?';
        for (Map.Entry<String, JsonNode> parameter : query.properties()) {
            StringBuilder pair = new StringBuilder();
            append(pair, encode(parameter.getKey()), parameter.getValue());
            if (!pair.isEmpty()) {
                address.append(separator).append(pair);
                separator = '&';
            }
        }
        return address.toString();
    }

    /**
     * Adds a link.
     *
     * @param links takes it
     * @param relation how it is related
     * @param href where it leads
     * @return the link
     */
    public static ObjectNode link(ObjectNode links, String relation, String href) {
        return links.putArray(relation).addObject().put("href", href);
    }

    /**
     * Says what the prefix of relations stands for.
     *
     * @param links takes it
     */
    public static void putCuries(ObjectNode links) {
        ObjectNode curie = links.putArray("curies").addObject().put("name", "wp");
        curie.put("href", "https://api.w.org/{rel}").put("templated", true);
    }

    private static void append(StringBuilder pairs, String name, JsonNode value) {
        if (value.isContainer()) {
            int index = 0;
            for (JsonNode item : value.isArray() ? value.values() : List.<JsonNode>of()) {
                append(pairs, name + "%5B" + index++ + "%5D", item);
            }
            value.properties()
                    .forEach(
                            member -> append(pairs, name + "%5B" + encode(member.getKey()) + "%5D", member.getValue()));
            return;
        }
        if (!pairs.isEmpty()) {
            pairs.append('&');
        }
        pairs.append(name);
        String text = value.isBoolean() ? (value.booleanValue() ? "1" : "") : value.asString("");
        if (!text.isEmpty()) {
            pairs.append('=').append(encode(text));
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A");
    }
}

package io.github.ratelimit.content.cms.rest;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Addresses of this interface: {@code {base}/index.php?rest_route=<route>}. */
public final class RestAddress {
    /** The path of the interface below the site's address. */
    public static final String PATH = "/index.php";

    /** The query parameter that names the route. */
    public static final String ROUTE_PARAMETER = "rest_route";

    private static final String SLASH = "%2F";

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

    private static void append(StringBuilder pairs, String name, JsonNode value) {
        if (value.isArray() || value.isObject()) {
            int index = 0;
            if (value.isObject()) {
                for (Map.Entry<String, JsonNode> member : value.properties()) {
                    append(pairs, name + "%5B" + encode(member.getKey()) + "%5D", member.getValue());
                }
                return;
            }
            for (JsonNode item : value.values()) {
                append(pairs, name + "%5B" + index++ + "%5D", item);
            }
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
        if (isPlain(text)) {
            return text.replace("/", SLASH);
        }
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A");
    }

    /** Says whether there is nothing to encode but slashes, which are: so it is with most names, numbers and routes. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            boolean isLetter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
            if (!isLetter && !(one >= '0' && one <= '9') && "/_-.".indexOf(one) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads a name or a value of an address. */
    static String decode(String text) {
        String plain = text.replace(SLASH, "/");
        boolean isPlain = plain.indexOf('%') < 0 && plain.indexOf('+') < 0;
        return isPlain ? plain : URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}

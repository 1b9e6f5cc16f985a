package io.github.ratelimit.content.harness;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The query of a request: names and values in order, a name as often as it is given. Not safe for concurrent use. */
public final class Query {

    private final List<String> pairs = new ArrayList<>();

    private Query() {}

    /** Returns an empty one. */
    public static Query create() {
        return new Query();
    }

    /**
     * Returns one with these names and values.
     *
     * @param namesAndValues alternating
     */
    public static Query of(String... namesAndValues) {
        Query query = new Query();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            query.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return query;
    }

    /**
     * Reads one from a text.
     *
     * @param pairs as {@code name=value&other=value}; no value has an ampersand
     */
    public static Query read(String pairs) {
        Query query = new Query();
        for (String pair : pairs.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            query.add(parts[0], parts.length == 1 ? "" : parts[1]);
        }
        return query;
    }

    /** Returns the names and values of an address, decoded. */
    public static Map<String, String> parameters(String address) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : URI.create(address).getRawQuery().split("&", -1)) {
            String[] parts = pair.split("=", 2);
            parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    /** Adds a name and its value, and returns this query. */
    public Query add(String name, String value) {
        pairs.add(encode(name) + "=" + encode(value));
        return this;
    }

    /** Returns the encoded form, without a leading mark; empty for an empty query. */
    @Override
    public String toString() {
        return String.join("&", pairs);
    }

    /** Encodes a name or value; a slash stays, as clients send routes that way. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}

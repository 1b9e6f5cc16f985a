package io.github.ratelimit.content.cms.rest;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads {@code a=1&b[]=2&b[]=3&c[d]=4}: a query or a form, in which names with brackets spell lists and objects.
 *
 * <p>Strict where others guess: what is no UTF-8 is rejected, and so are more names than a person would send.
 */
final class FormParser {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** Chosen: what a batch of 25 new items takes as a form, and what clients of this interface know. */
    private static final int MOST_PARAMETERS = 1_000;

    /** What a batch as a form needs: {@code requests[0][body][title][raw]}, and one more. */
    private static final int DEEPEST_NAME = 6;

    private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

    private FormParser() {}

    /**
     * Reads a query or a form.
     *
     * @param text still percent-encoded
     * @return a tree of texts, in the order in which the names came
     * @throws RestError if it cannot be read
     */
    static ObjectNode parse(String text) {
        ObjectNode tree = JSON.objectNode();
        StringTokenizer pairs = new StringTokenizer(text, "&");
        for (int count = 1; pairs.hasMoreTokens(); count++) {
            if (count > MOST_PARAMETERS) {
                throw RestError.of(400, "rest_too_many_params", "At most " + MOST_PARAMETERS + " parameters are read.");
            }
            String[] pair = pairs.nextToken().split("=", 2);
            put(tree, decode(pair[0]), pair.length == 2 ? decode(pair[1]) : "");
        }
        return numbered(tree);
    }

    /**
     * Adds one parameter.
     *
     * @param tree where lists are still objects with numbers as names
     * @param name with brackets
     * @param value the text
     */
    static void put(ObjectNode tree, String name, String value) {
        List<String> path = path(name);
        ObjectNode at = tree;
        for (int i = 0; i < path.size() - 1; i++) {
            String part = key(at, path.get(i));
            if (at.get(part) instanceof ObjectNode inner) {
                at = inner;
            } else {
                at = at.putObject(part);
            }
        }
        String last = key(at, path.get(path.size() - 1));
        // A name that comes again keeps its first place, and its last value.
        at.put(last, value);
    }

    private static String key(ObjectNode at, String part) {
        return part.isEmpty() ? Integer.toString(at.size()) : part;
    }

    /** Takes a name such as {@code a[b][]} apart; brackets that do not close are part of the name. */
    private static List<String> path(String name) {
        int open = name.indexOf('[');
        if (open <= 0 || !name.endsWith("]")) {
            return List.of(name.isEmpty() ? "_" : name);
        }
        List<String> parts = new ArrayList<>();
        parts.add(name.substring(0, open));
        int at = open;
        while (at < name.length() && name.charAt(at) == '[') {
            int close = name.indexOf(']', at);
            parts.add(name.substring(at + 1, close));
            at = close + 1;
            if (parts.size() > DEEPEST_NAME) {
                throw RestError.of(
                        400, "rest_invalid_param_name", "Names may have at most " + DEEPEST_NAME + " parts.");
            }
        }
        return at == name.length() ? parts : List.of(name);
    }

    /** Turns members whose names are all numbers into lists. */
    static ObjectNode numbered(ObjectNode object) {
        ObjectNode changed = JSON.objectNode();
        object.properties()
                .forEach(member -> changed.set(
                        member.getKey(),
                        member.getValue() instanceof ObjectNode inner ? list(inner) : member.getValue()));
        return changed;
    }

    private static JsonNode list(ObjectNode object) {
        ObjectNode changed = numbered(object);
        boolean isList = !object.isEmpty()
                && object.propertyNames().stream()
                        .allMatch(name -> INDEX.matcher(name).matches());
        return isList ? JSON.arrayNode().addAll(changed.values()) : changed;
    }

    /**
     * Takes percent-encoding away.
     *
     * @param text encoded
     * @return the text it stands for
     * @throws RestError if it is no UTF-8, or holds what no text holds
     */
    static String decode(String text) {
        try {
            // Each byte becomes one character.
            return utf8(URLDecoder.decode(text, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException incomplete) {
            throw badText();
        }
    }

    /**
     * Reads bytes as text.
     *
     * @param bytes in UTF-8
     * @return the text
     * @throws RestError if they are no UTF-8, or hold a NUL
     */
    static String utf8(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw badText();
            }
            return text;
        } catch (CharacterCodingException notUtf8) {
            throw badText();
        }
    }

    private static RestError badText() {
        return RestError.of(
                400, "rest_invalid_encoding", "Text must be UTF-8, percent-encoded where it is an address.");
    }
}

package io.github.ratelimit.content.cms.rest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads {@code a=1&b[]=2&b[]=3&c[d]=4}: a query or a form, in which names with brackets spell lists and objects.
 *
 * <p>Strict where others guess: what is no UTF-8 is refused, and so are more names than a person would send.
 */
final class FormParser {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** Chosen: what a batch of 25 new items takes as a form, and what clients of this interface know. */
    private static final int MOST_PARAMETERS = 1_000;

    /** What a batch as a form needs: {@code requests[0][body][title][raw]}, and one more. */
    private static final int DEEPEST_NAME = 6;

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
        if (text.isEmpty()) {
            return tree;
        }
        int count = 0;
        int start = 0;
        while (start <= text.length()) {
            int end = text.indexOf('&', start);
            if (end < 0) {
                end = text.length();
            }
            if (end > start) {
                if (++count > MOST_PARAMETERS) {
                    throw RestError.of(
                            400, "rest_too_many_params", "At most " + MOST_PARAMETERS + " parameters are read.");
                }
                int equals = text.indexOf('=', start);
                boolean hasValue = equals >= 0 && equals < end;
                String name = decode(text.substring(start, hasValue ? equals : end));
                put(tree, name, hasValue ? decode(text.substring(equals + 1, end)) : "");
            }
            start = end + 1;
        }
        return (ObjectNode) numbered(tree);
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

    /** Turns objects whose names are all numbers into lists. */
    static JsonNode numbered(JsonNode node) {
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode changed = JSON.objectNode();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonNode value = member.getValue();
            changed.set(member.getKey(), value instanceof ObjectNode inner ? list(inner) : value);
        }
        return changed;
    }

    private static JsonNode list(ObjectNode object) {
        boolean all = !object.isEmpty()
                && object.propertyNames().stream()
                        .allMatch(name -> !name.isEmpty()
                                && name.length() < 10
                                && name.chars().allMatch(digit -> digit >= '0' && digit <= '9'));
        if (!all) {
            return numbered(object);
        }
        ArrayNode list = JSON.arrayNode();
        object.properties().forEach(member -> {
            JsonNode value = member.getValue();
            list.add(value instanceof ObjectNode inner ? list(inner) : value);
        });
        return list;
    }

    /**
     * Takes percent-encoding away.
     *
     * @param text encoded
     * @return the text it stands for
     * @throws RestError if it is no UTF-8, or holds what no text holds
     */
    static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0 && isAscii(text)) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            byte one = encoded[i];
            if (one == '+') {
                bytes.put((byte) ' ');
            } else if (one == '%' && i + 2 < encoded.length && hex(encoded[i + 1]) >= 0 && hex(encoded[i + 2]) >= 0) {
                bytes.put((byte) (hex(encoded[i + 1]) << 4 | hex(encoded[i + 2])));
                i += 2;
            } else if (one == '%') {
                throw badText();
            } else {
                bytes.put(one);
            }
        }
        return utf8(bytes.flip());
    }

    /**
     * Reads bytes as text.
     *
     * @param bytes in UTF-8
     * @return the text
     * @throws RestError if they are no UTF-8, or hold a NUL
     */
    static String utf8(ByteBuffer bytes) {
        try {
            // A decoder makes room for two bytes of each character; most bodies need one.
            String text = isAscii(bytes)
                    ? new String(
                            bytes.array(),
                            bytes.arrayOffset() + bytes.position(),
                            bytes.remaining(),
                            StandardCharsets.US_ASCII)
                    : StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            if (text.indexOf('\0') >= 0) {
                throw badText();
            }
            return text;
        } catch (CharacterCodingException notUtf8) {
            throw badText();
        }
    }

    private static boolean isAscii(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == 0 || text.charAt(at) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) < 0) {
                return false;
            }
        }
        return bytes.hasArray();
    }

    static RestError badText() {
        return RestError.of(
                400, "rest_invalid_encoding", "Text must be UTF-8, percent-encoded where it is an address.");
    }

    private static int hex(byte digit) {
        return Character.digit((char) (digit & 0xff), 16);
    }
}

package io.github.ratelimit.content.cms.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes JSON. Reading is strict: one value, no depth or number without end. Of a name that comes twice the last
 * value counts, as clients of this interface know it.
 */
public final class RestJson {
    /** The largest body that is read for arguments, in bytes. */
    public static final int MOST_BYTES = 1 << 20;

    private static final int DEEPEST = 64;
    private static final int TOO_DEEP = 1;
    private static final int CONTROL_CHARACTER = 3;
    private static final int SYNTAX = 4;
    private static final int ENCODING = 5;
    private static final int SURROGATE = 10;

    private static final int MOST_TOKENS = 50_000;

    private static final JsonMapper MAPPER = mapper();
    private static final ObjectWriter WRITER = MAPPER.writer();
    private static final ObjectWriter INDENTED = WRITER.with(SerializationFeature.INDENT_OUTPUT);
    private static final ObjectWriter PLAIN = WRITER.withFeatures(
                    JsonWriteFeature.ESCAPE_NON_ASCII, JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
            .without(JsonWriteFeature.WRITE_HEX_UPPER_CASE);

    private RestJson() {}

    private static JsonMapper mapper() {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEEPEST)
                                .maxNumberLength(64)
                                .maxStringLength(MOST_BYTES)
                                .maxNameLength(256)
                                .maxDocumentLength(MOST_BYTES)
                                .maxTokenCount(MOST_TOKENS)
                                .build())
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();
    }

    /**
     * Reads a body.
     *
     * @param bytes what was sent
     * @return its members; a list has its places as names, and what is neither list nor object has none
     * @throws RestError if it is not one value of JSON in UTF-8
     */
    public static ObjectNode read(byte[] bytes) {
        JsonNode value = parse(text(bytes));
        if (value instanceof ObjectNode object) {
            return object;
        }
        ObjectNode numbered = JsonNodeFactory.instance.objectNode();
        if (value.isArray()) {
            int index = 0;
            for (JsonNode item : value.values()) {
                numbered.set(Integer.toString(index++), item);
            }
        }
        return numbered;
    }

    private static String text(byte[] bytes) {
        try {
            return FormParser.utf8(bytes);
        } catch (RestError notUtf8) {
            throw invalid(ENCODING, "Malformed UTF-8 characters, possibly incorrectly encoded");
        }
    }

    private static JsonNode parse(String text) {
        if (text.isBlank()) {
            throw invalid(SYNTAX, "Syntax error");
        }
        try {
            JsonNode value = MAPPER.readTree(text);
            requireText(value);
            return value;
        } catch (StreamConstraintsException limit) {
            if (String.valueOf(limit.getMessage()).startsWith("Token count")) {
                throw RestError.of(413, "rest_request_too_large", "The body has more members than this server reads.");
            }
            throw invalid(TOO_DEEP, "Maximum stack depth exceeded");
        } catch (JacksonException syntax) {
            long place = syntax.getLocation() == null
                    ? text.length()
                    : syntax.getLocation().getCharOffset();
            throw hasControlCharacter(text, place)
                    ? invalid(CONTROL_CHARACTER, "Control character error, possibly incorrectly encoded")
                    : invalid(SYNTAX, "Syntax error");
        } catch (NumberFormatException exponent) {
            throw invalid(SYNTAX, "Syntax error"); // one that Java has no number for; the parser lets that pass
        }
    }

    /**
     * Says whether a character that must be escaped is what broke the text, up to the place where that was noticed. The end
     * of the text within a string counts as one.
     */
    private static boolean hasControlCharacter(String text, long place) {
        boolean isString = false;
        for (int i = 0; i < text.length() && i <= place; i++) {
            char one = text.charAt(i);
            if (one < ' ' && (isString || "\t\n\r".indexOf(one) < 0)) {
                return true;
            }
            if (one == '"') {
                isString = !isString;
            } else if (one == '\\' && isString) {
                i++;
            }
        }
        return isString && place >= text.length();
    }

    /** Escapes can spell what no text holds: a NUL, or half of a character. */
    private static void requireText(JsonNode value) {
        if (value.isString()) {
            requireText(value.stringValue());
        } else if (value.isObject()) {
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                requireText(member.getKey());
                requireText(member.getValue());
            }
        } else {
            value.values().forEach(RestJson::requireText);
        }
    }

    private static void requireText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == 0) {
                throw invalid(ENCODING, "Malformed UTF-8 characters, possibly incorrectly encoded");
            }
            if (Character.isLowSurrogate(one)) {
                throw halfCharacter();
            }
            if (Character.isHighSurrogate(one)) {
                i++;
                if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
                    throw halfCharacter();
                }
            }
        }
    }

    private static RestError halfCharacter() {
        return invalid(SURROGATE, "Single unpaired UTF-16 surrogate in unicode escape");
    }

    private static RestError invalid(int code, String reason) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return RestError.of(400, "rest_invalid_json", "Invalid JSON body passed.")
                .with("json_error_code", json.numberNode(code))
                .with("json_error_message", json.stringNode(reason));
    }

    /**
     * Writes a tree.
     *
     * @param tree what to write
     * @return UTF-8
     */
    public static byte[] write(JsonNode tree) {
        return MAPPER.writeValueAsBytes(tree);
    }

    /**
     * Reads a text that may be JSON, within the bounds of a body.
     *
     * @param text what may be JSON
     * @return its one value; empty if it is none
     */
    public static Optional<JsonNode> value(String text) {
        try {
            return Optional.of(parse(text));
        } catch (RestError none) {
            return Optional.empty();
        }
    }

    /**
     * Writes a tree in ASCII, as scripts and older tools read it.
     *
     * @param tree what to write
     * @return a text in which slashes and all characters beyond ASCII are escaped
     */
    public static String writePlain(JsonNode tree) {
        return PLAIN.writeValueAsString(tree);
    }

    static void writePlain(JsonNode tree, boolean indented, OutputStream out) throws IOException {
        write(indented ? PLAIN.with(SerializationFeature.INDENT_OUTPUT) : PLAIN, tree, out);
    }

    /** Writes a tree piece by piece: a long answer is never in memory in its written form. */
    static void write(JsonNode tree, boolean indented, OutputStream out) throws IOException {
        write(indented ? INDENTED : WRITER, tree, out);
    }

    private static void write(ObjectWriter writer, JsonNode tree, OutputStream out) throws IOException {
        try {
            // Neither closed nor sent at its end: an answer that fails before it fills the buffer is answered with an
            // error.
            writer.without(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .writeValue(out, tree);
        } catch (JacksonIOException gone) {
            throw gone.getCause();
        }
    }

    /** Reads a tree that this server has written. */
    static JsonNode tree(byte[] encoded) {
        return MAPPER.readTree(encoded);
    }
}

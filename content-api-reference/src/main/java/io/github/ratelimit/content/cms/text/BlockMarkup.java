package io.github.ratelimit.content.cms.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The comments that begin and end the blocks of a content, and their one spelling in stored contents: without needless names and space.
 *
 * <p>Each block is closed by its own name, and a block without content is one comment.
 */
public final class BlockMarkup {
    private static final String BEGIN = "<!-- wp:";

    private static final Pattern DELIMITER = Pattern.compile(
            "<!--\\s++(/)?wp:((?:[a-z][a-z0-9_-]*+/)?+[a-z][a-z0-9_-]*+)\\s++(?:(\\{.*\\})\\s++)?(/)?-->",
            Pattern.DOTALL);

    private final String raw;
    private final UnaryOperator<ObjectNode> filter;
    private final StringBuilder out;
    private final Deque<Frame> open = new ArrayDeque<>();

    private BlockMarkup(String raw, UnaryOperator<ObjectNode> filter) {
        this.raw = raw;
        this.filter = filter;
        out = new StringBuilder(raw.length() + 64);
    }

    /**
     * A comment that begins or ends a block.
     *
     * @param begin its place
     * @param end the place behind it
     * @param closes whether it ends a block
     * @param name of the block, without the usual namespace
     * @param json the block's attributes; may be empty
     * @param isEmpty whether the block has no content
     */
    record Delimiter(int begin, int end, boolean closes, String name, String json, boolean isEmpty) {}

    /**
     * Tells whether a content is made of blocks.
     *
     * @param raw the content as written
     * @return whether a block begins in it
     */
    static boolean has(String raw) {
        return raw.contains(BEGIN);
    }

    /** Lists the comments that begin or end blocks, in their order. */
    static List<Delimiter> delimiters(String raw) {
        List<Delimiter> delimiters = new ArrayList<>();
        Matcher matcher = DELIMITER.matcher(raw);
        int begin = raw.indexOf("<!--");
        while (begin >= 0) {
            int end = raw.indexOf("-->", begin) + 3;
            if (end < 3) {
                break;
            }
            // A comment may begin within another one that was never closed.
            if (matcher.region(begin, end).matches()
                    || matcher.region(raw.lastIndexOf("<!--", end - 3), end).matches()) {
                String name = matcher.group(2);
                delimiters.add(new Delimiter(
                        matcher.start(),
                        end,
                        matcher.group(1) != null && matcher.group(4) == null,
                        name.startsWith("core/") ? name.substring("core/".length()) : name,
                        Objects.requireNonNullElse(matcher.group(3), ""),
                        matcher.group(4) != null));
            }
            begin = raw.indexOf("<!--", end);
        }
        return delimiters;
    }

    /** A block that is not closed yet, and the place where its content begins. */
    private record Frame(String name, int inside) {}

    /**
     * Spells the blocks of a content as an item stores them.
     *
     * @param content as it was sent
     * @return the same blocks; a comment that closes no block is removed
     */
    public static String stored(String content) {
        return spelled(content, UnaryOperator.identity());
    }

    /**
     * Spells the blocks of a text, filters the texts in their attributes, and takes out style sheets that they bring along.
     *
     * @param text any
     * @param values the filter
     * @return the same blocks
     */
    static String filtered(String text, UnaryOperator<String> values) {
        return spelled(text, attributes -> filtered(attributes, values));
    }

    private static String spelled(String text, UnaryOperator<ObjectNode> filter) {
        return text.contains("<!--") && text.contains("wp:") ? new BlockMarkup(text, filter).spelled() : text;
    }

    /** Names are filtered before they are compared: what a filter leaves of one may be another one. */
    private static ObjectNode filtered(ObjectNode sent, UnaryOperator<String> values) {
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        sent.properties()
                .forEach(member -> kept.set(values.apply(member.getKey()), filtered(member.getValue(), values)));
        if (kept.get("style") instanceof ObjectNode style && style.remove("css") != null && style.isEmpty()) {
            kept.remove("style");
        }
        return kept;
    }

    private static JsonNode filtered(JsonNode sent, UnaryOperator<String> values) {
        if (sent instanceof ObjectNode object) {
            return filtered(object, values);
        }
        if (sent instanceof ArrayNode list) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            list.forEach(value -> kept.add(filtered(value, values)));
            return kept;
        }
        return sent.isString() ? JsonNodeFactory.instance.stringNode(values.apply(sent.stringValue())) : sent;
    }

    private String spelled() {
        int copied = 0;
        for (Delimiter delimiter : delimiters(raw)) {
            out.append(raw, copied, delimiter.begin());
            copied = delimiter.end();
            if (delimiter.closes()) {
                close();
                continue;
            }
            out.append("<!-- wp:").append(delimiter.name()).append(' ');
            ObjectNode attributes = filter.apply(attributes(delimiter.json()));
            out.append(attributes.isEmpty() ? "" : json(attributes) + " ").append(delimiter.isEmpty() ? "/-->" : "-->");
            if (!delimiter.isEmpty()) {
                open.push(new Frame(delimiter.name(), out.length()));
            }
        }
        out.append(raw, copied, raw.length());
        while (!open.isEmpty()) {
            close();
        }
        return out.toString();
    }

    private void close() {
        if (open.isEmpty()) {
            return;
        }
        Frame closed = open.pop();
        if (out.length() == closed.inside) {
            out.replace(closed.inside - "-->".length(), closed.inside, "/-->");
        } else {
            out.append("<!-- /wp:").append(closed.name).append(" -->");
        }
    }

    /** Reads the attributes of a block; none where they are not JSON. */
    static ObjectNode attributes(String json) {
        try {
            if (!json.isEmpty() && JsonMapper.shared().readTree(json) instanceof ObjectNode attributes) {
                return attributes;
            }
        } catch (JacksonException e) {
            // The block is shown without them.
        }
        return JsonNodeFactory.instance.objectNode();
    }

    /** Clients know an object without members as an empty list. */
    private static String json(JsonNode value) {
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            return object.properties().stream()
                    .map((Map.Entry<String, JsonNode> member) -> text(member.getKey()) + ":" + json(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof ArrayNode list) {
            return StreamSupport.stream(list.spliterator(), false)
                    .map(BlockMarkup::json)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return value.isString() ? text(value.stringValue()) : value.isObject() ? "[]" : value.toString();
    }

    /** Escapes everything that could end the comment, or be taken for markup. */
    private static String text(String text) {
        String quoted = JsonMapper.shared().writeValueAsString(text);
        return '"'
                + quoted.substring(1, quoted.length() - 1)
                        .replace("\\\\", "\\u005c")
                        .replace("--", "\\u002d\\u002d")
                        .replace("<", "\\u003c")
                        .replace(">", "\\u003e")
                        .replace("&", "\\u0026")
                        .replace("\\\"", "\\u0022")
                + '"';
    }
}

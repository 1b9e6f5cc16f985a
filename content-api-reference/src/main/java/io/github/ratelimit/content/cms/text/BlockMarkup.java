package io.github.ratelimit.content.cms.text;

import io.github.ratelimit.content.cms.text.Blocks.Delimiter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One spelling for the comments that separate the blocks of a content: without needless names and space.
 *
 * <p>Each block is closed by its own name, and a block without content is one comment.
 */
public final class BlockMarkup {
    private final String raw;
    private final UnaryOperator<String> values;
    private final StringBuilder out;
    private final Deque<Frame> open = new ArrayDeque<>();

    private BlockMarkup(String raw, UnaryOperator<String> values) {
        this.raw = raw;
        this.values = values;
        out = new StringBuilder(raw.length() + 64);
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
        return filtered(content, UnaryOperator.identity());
    }

    /**
     * Spells the blocks of a text, and filters the texts in their attributes.
     *
     * @param text any
     * @param values the filter
     * @return the same blocks
     */
    static String filtered(String text, UnaryOperator<String> values) {
        return text.contains("<!--") && text.contains("wp:") ? new BlockMarkup(text, values).spelled() : text;
    }

    private String spelled() {
        int copied = 0;
        for (Delimiter delimiter : Blocks.delimiters(raw)) {
            out.append(raw, copied, delimiter.begin());
            copied = delimiter.end();
            if (delimiter.closes()) {
                close();
                continue;
            }
            out.append("<!-- wp:").append(delimiter.name()).append(' ');
            ObjectNode attributes = Blocks.attributes(delimiter.json());
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

    /** Clients know an object without members as an empty list. */
    private String json(JsonNode value) {
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            return object.properties().stream()
                    .map((Map.Entry<String, JsonNode> member) -> text(member.getKey()) + ":" + json(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof ArrayNode list) {
            return StreamSupport.stream(list.spliterator(), false)
                    .map(this::json)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return value.isString() ? text(value.stringValue()) : value.isObject() ? "[]" : value.toString();
    }

    /** Escapes everything that could end the comment, or be taken for markup. */
    private String text(String text) {
        String quoted = JsonMapper.shared().writeValueAsString(values.apply(text));
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

package io.github.ratelimit.content.cms.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The comments that part the blocks of a content, all spelled in one way: without needless names and space, each block closed by
 * its own name, and a block without anything in it as one comment. Pure; read once, from the beginning to the end.
 */
public final class BlockMarkup {
    private static final String WHOLE = "post-content";
    private static final String BEGUN = "-->";
    private static final String EMPTY = "/-->";

    private final String raw;
    private final UnaryOperator<String> values;
    private final StringBuilder out;
    private final Deque<Frame> open = new ArrayDeque<>();
    private int offset;

    private BlockMarkup(String raw, UnaryOperator<String> values) {
        this.raw = raw;
        this.values = values;
        out = new StringBuilder(raw.length() + 64);
    }

    /**
     * A block that is not closed yet.
     *
     * @param name of it
     * @param inside where what is in it begins in the result
     */
    private record Frame(String name, int inside) {}

    /**
     * Spells the blocks of a content as an item stores them.
     *
     * @param content as it was sent
     * @return the same blocks; what closes no block goes away
     */
    public static String stored(String content) {
        if (!hasDelimiters(content)) {
            return content;
        }
        String whole = "<!-- wp:" + WHOLE + " -->" + content + "<!-- /wp:" + WHOLE + " -->";
        String spelled = new BlockMarkup(whole, UnaryOperator.identity()).spelled();
        int begin = spelled.indexOf("-->") + 3;
        int end = spelled.lastIndexOf("<!--");
        return begin <= end ? spelled.substring(begin, end) : "";
    }

    /**
     * Spells the blocks of a text, and lets something look at what their comments say.
     *
     * @param text any
     * @param values what becomes of each text among a block's attributes
     * @return the same blocks
     */
    static String filtered(String text, UnaryOperator<String> values) {
        return hasDelimiters(text) ? new BlockMarkup(text, values).spelled() : text;
    }

    private static boolean hasDelimiters(String text) {
        return text.contains("<!--") && text.contains("wp:");
    }

    /** Chosen: what has two blocks that are never closed stays as it is, as nobody can say what belongs to which. */
    private String spelled() {
        Matcher delimiter = Blocks.DELIMITER.matcher(raw);
        int begin = raw.indexOf("<!--");
        while (begin >= 0) {
            int end = raw.indexOf("-->", begin) + 3;
            if (end < 3) {
                break;
            }
            int start = Blocks.delimiterStart(delimiter, raw, begin, end);
            if (start >= 0) {
                if (delimiter.group(1) != null && open.isEmpty()) {
                    break;
                }
                read(delimiter, start);
                offset = end;
            }
            begin = raw.indexOf("<!--", end);
        }
        if (open.size() > 1) {
            return raw;
        }
        out.append(raw, offset, raw.length());
        if (!open.isEmpty()) {
            close(open.pop());
        }
        return out.toString();
    }

    /** Nothing is written twice, however many blocks lie around it. */
    private void read(Matcher delimiter, int begin) {
        out.append(raw, offset, begin);
        boolean isEmpty = delimiter.group(4) != null;
        if (delimiter.group(1) != null && !isEmpty) {
            close(open.pop());
            return;
        }
        String name = delimiter.group(2);
        String plain = name.startsWith("core/") ? name.substring("core/".length()) : name;
        out.append("<!-- wp:")
                .append(plain)
                .append(' ')
                .append(attributes(Optional.ofNullable(delimiter.group(3)).orElse("")));
        if (isEmpty) {
            out.append(EMPTY);
        } else {
            out.append(BEGUN);
            open.push(new Frame(plain, out.length()));
        }
    }

    private void close(Frame closed) {
        if (out.length() == closed.inside) {
            out.replace(closed.inside - BEGUN.length(), closed.inside, EMPTY);
        } else {
            out.append("<!-- /wp:").append(closed.name).append(" -->");
        }
    }

    private String attributes(String json) {
        try {
            if (!json.isEmpty()
                    && JsonMapper.shared().readTree(json) instanceof ObjectNode attributes
                    && !attributes.isEmpty()) {
                StringBuilder spelled = new StringBuilder(json.length() + 16);
                write(attributes, spelled);
                return spelled.append(' ').toString();
            }
        } catch (JacksonException e) {
            // A tool that writes no JSON says nothing about its block.
        }
        return "";
    }

    /** Nothing that could end the comment, or be taken for markup, stays; an object without members is a list without items. */
    private void write(@Nullable JsonNode value, StringBuilder json) {
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            char before = '{';
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                json.append(before);
                writeText(values.apply(member.getKey()), json);
                json.append(':');
                write(member.getValue(), json);
                before = ',';
            }
            json.append('}');
        } else if (value instanceof ArrayNode list) {
            json.append('[');
            for (Iterator<JsonNode> items = list.iterator(); items.hasNext(); ) {
                write(items.next(), json);
                json.append(items.hasNext() ? "," : "");
            }
            json.append(']');
        } else if (value == null || value.isObject()) {
            json.append(value == null ? "null" : "[]");
        } else if (value.isString()) {
            writeText(values.apply(value.stringValue()), json);
        } else {
            json.append(value);
        }
    }

    private static void writeText(String text, StringBuilder json) {
        String quoted = JsonMapper.shared().writeValueAsString(text);
        json.append('"')
                .append(quoted.substring(1, quoted.length() - 1)
                        .replace("\\\\", "\\u005c")
                        .replace("--", "\\u002d\\u002d")
                        .replace("<", "\\u003c")
                        .replace(">", "\\u003e")
                        .replace("&", "\\u0026")
                        .replace("\\\"", "\\u0022"))
                .append('"');
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Contents that editors write as blocks: HTML between comments that name the blocks.
 *
 * <p>Read once, from the beginning to the end; a block that is never closed ends where its parent ends.
 */
final class Blocks {
    private static final String BEGIN = "<!-- wp:";

    private static final Pattern DELIMITER = Pattern.compile(
            "<!--\\s++(/)?wp:((?:[a-z][a-z0-9_-]*+/)?+[a-z][a-z0-9_-]*+)\\s++(?:(\\{.*\\})\\s++)?(/)?-->",
            Pattern.DOTALL);

    /** Blocks whose first element carries a class with the name of the block, which older editors did not write. */
    private static final Map<String, Pattern> MARKED = Map.of(
            "paragraph", Pattern.compile("<p(?=[\\s>])[^<>]*+>"),
            "heading", Pattern.compile("<h[1-6](?=[\\s>])[^<>]*+>"),
            "list", Pattern.compile("<[uo]l(?=[\\s>])[^<>]*+>"));

    private static final Pattern CLASSES = Pattern.compile("\\sclass=(\"[^\"]*\"|'[^']*')");

    /** Blocks that are text, and so belong into an excerpt. */
    private static final Set<String> TEXTS = Set.of(
            "freeform",
            "heading",
            "html",
            "list",
            "media-text",
            "paragraph",
            "preformatted",
            "pullquote",
            "quote",
            "table",
            "verse");

    /** Blocks that only arrange others. */
    private static final Set<String> ARRANGEMENTS = Set.of("columns", "column", "group");

    private static final Pattern CLASS = Pattern.compile("\\sclass=(?:\"([^\"]*+)\"|'([^']*+)')");

    private final String raw;
    private final StringBuilder html;
    private final Block root = new Block(null, 0, "");
    private final Deque<Block> open = new ArrayDeque<>();
    /** The classes that a tag gets, by its place; given at the end, so that no place changes before. */
    private final NavigableMap<Integer, List<String>> added = new TreeMap<>();

    private int galleries;

    private Blocks(String raw) {
        this.raw = raw;
        html = new StringBuilder(raw.length());
        open.push(root);
    }

    /**
     * Tells whether a content is made of blocks.
     *
     * @param raw the content as written
     * @return whether any block begins in it
     */
    static boolean has(String raw) {
        return raw.contains(BEGIN);
    }

    /**
     * Leaves out the comments that part the blocks, and names how blocks arrange others.
     *
     * @param raw the content as written
     * @return what is shown of it
     */
    static String render(String raw) {
        Blocks blocks = new Blocks(raw);
        blocks.read();
        return blocks.arranged();
    }

    /**
     * Keeps what belongs into an excerpt: text, also inside groups and columns; no pictures, and no lists that hold
     * further blocks.
     *
     * @param raw the content as written
     * @return the parts of what is shown that are text
     */
    static String texts(String raw) {
        Blocks blocks = new Blocks(raw);
        blocks.read();
        return blocks.excerpt();
    }

    private void read() {
        int copied = 0;
        int begin = raw.indexOf("<!--");
        while (begin >= 0) {
            int end = raw.indexOf("-->", begin);
            if (end < 0) {
                break;
            }
            end += 3;
            Matcher delimiter = DELIMITER.matcher(raw).region(begin, end);
            if (delimiter.matches()) {
                text(copied, begin);
                delimiter(
                        delimiter.group(1) != null,
                        delimiter.group(2),
                        Optional.ofNullable(delimiter.group(3)).orElse(""),
                        delimiter.group(4) != null);
                copied = end;
            }
            begin = raw.indexOf("<!--", end);
        }
        text(copied, raw.length());
        while (!open.isEmpty()) {
            close(open.pop());
        }
    }

    private void delimiter(boolean closes, String name, String attributes, boolean empty) {
        if (!closes) {
            Block block = new Block(name.startsWith("core/") ? name.substring(5) : name, html.length(), attributes);
            Block outer = open.getFirst();
            if (outer.inner.isEmpty()) {
                outer.firstInner = html.length();
            }
            outer.inner.add(block);
            if (empty) {
                block.end = html.length();
            } else {
                open.push(block);
            }
        } else if (open.size() > 1) {
            close(open.pop());
        }
    }

    private void close(Block block) {
        block.end = html.length();
        if (block.name == null || !BlockLayouts.arranges(block.name)) {
            return;
        }
        List<String> classes = BlockLayouts.classes(block.name, attributes(block.attributes));
        if (block.name.equals("gallery")) {
            addClass(firstTag(block.begin, block.end, ""), "wp-block-gallery-" + ++galleries);
        }
        int wrapper = wrapper(block);
        classes.forEach(name -> addClass(wrapper, name));
    }

    private static ObjectNode attributes(String json) {
        try {
            if (!json.isEmpty() && JsonMapper.shared().readTree(json) instanceof ObjectNode attributes) {
                return attributes;
            }
        } catch (JacksonException e) {
            // A tool that writes no JSON says nothing about its block.
        }
        return JsonNodeFactory.instance.objectNode();
    }

    /** Finds the element that holds the inner blocks: the last one with classes before the first of them. */
    private int wrapper(Block block) {
        String classes = "";
        if (!block.inner.isEmpty()) {
            int at = block.begin;
            while (at >= 0 && at < block.firstInner) {
                at = html.indexOf("<", at);
                if (at >= 0 && at < block.firstInner) {
                    int end = Math.min(Markup.end(html, at), block.firstInner);
                    String found = classes(html.substring(at, end));
                    classes = found.isEmpty() ? classes : found;
                    at = end;
                }
            }
        }
        return firstTag(block.begin, block.end, classes);
    }

    private static String classes(String tag) {
        Matcher found = CLASS.matcher(tag);
        if (tag.startsWith("</") || tag.startsWith("<!") || !found.find()) {
            return "";
        }
        return found.group(1) == null ? found.group(2) : found.group(1);
    }

    /** Finds the first opening tag with certain classes. */
    private int firstTag(int from, int to, String classes) {
        int at = html.indexOf("<", from);
        while (at >= 0 && at + 1 < to) {
            int end = Markup.end(html, at);
            if (Character.isLetter(html.charAt(at + 1))
                    && (classes.isEmpty() || classes(html.substring(at, end)).contains(classes))) {
                return at;
            }
            at = html.indexOf("<", Math.max(end, at + 1));
        }
        return -1;
    }

    private void addClass(int tag, String name) {
        if (tag >= 0) {
            added.computeIfAbsent(tag, place -> new ArrayList<>()).add(name);
        }
    }

    private String arranged() {
        StringBuilder arranged = new StringBuilder(html.length() + 64);
        int copied = 0;
        for (Map.Entry<Integer, List<String>> entry : added.entrySet()) {
            int end = Markup.end(html, entry.getKey());
            String tag = html.substring(entry.getKey(), end);
            for (String name : entry.getValue()) {
                tag = withClass(tag, name);
            }
            arranged.append(html, copied, entry.getKey()).append(tag);
            copied = end;
        }
        return arranged.append(html, copied, html.length()).toString();
    }

    private void text(int from, int to) {
        if (from == to) {
            return;
        }
        Block block = open.getFirst();
        if (block == root) {
            Block free = new Block("freeform", html.length(), "");
            html.append(raw, from, to);
            free.end = html.length();
            root.inner.add(free);
            return;
        }
        Pattern first = block.name == null || block.marked ? null : MARKED.get(block.name);
        Matcher tag = first == null ? null : first.matcher(raw).region(from, to);
        if (tag == null || !tag.find()) {
            html.append(raw, from, to);
            return;
        }
        block.marked = true;
        html.append(raw, from, tag.start());
        html.append(withClass(tag.group(), "wp-block-" + block.name));
        html.append(raw, tag.end(), to);
    }

    private static String withClass(String tag, String name) {
        Matcher classes = CLASSES.matcher(tag);
        if (!classes.find()) {
            int end = Markup.name(tag).length() + 1;
            return tag.substring(0, end) + " class=\"" + name + "\"" + tag.substring(end);
        }
        String value = classes.group(1);
        if (List.of(value.substring(1, value.length() - 1).split("\\s+")).contains(name)) {
            return tag;
        }
        int end = classes.end() - 1;
        return tag.substring(0, end) + (value.length() > 2 ? " " : "") + name + tag.substring(end);
    }

    private String excerpt() {
        StringBuilder texts = new StringBuilder(html.length());
        Deque<Block> left = new ArrayDeque<>();
        left.push(root);
        while (!left.isEmpty()) {
            Block block = left.pop();
            if (block == root || (ARRANGEMENTS.contains(block.name) && !block.inner.isEmpty())) {
                for (int inner = block.inner.size() - 1; inner >= 0; inner--) {
                    left.push(block.inner.get(inner));
                }
            } else if (block.isText() && block.inner.stream().allMatch(Block::isSimpleText)) {
                texts.append(html, block.begin, block.end);
            }
        }
        return texts.toString();
    }

    /** One block: where it is in what is shown, and what is in it. */
    private static final class Block {
        final @Nullable String name;
        final int begin;
        final String attributes;
        final List<Block> inner = new ArrayList<>();
        int end;
        int firstInner;
        boolean marked;

        Block(@Nullable String name, int begin, String attributes) {
            this.name = name;
            this.begin = begin;
            this.attributes = attributes;
            end = begin;
        }

        boolean isText() {
            return name != null && TEXTS.contains(name);
        }

        boolean isSimpleText() {
            return isText() && inner.isEmpty();
        }
    }
}

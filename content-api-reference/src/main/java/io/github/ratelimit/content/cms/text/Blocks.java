package io.github.ratelimit.content.cms.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Contents that editors write as blocks: HTML between comments that name the blocks.
 *
 * <p>A block that is never closed ends where the content ends.
 */
final class Blocks {
    private static final Pattern TAG = Pattern.compile("<[a-zA-Z][^<>]*+>");
    private static final Pattern CLASS = Pattern.compile("\\sclass=(?:\"([^\"]*+)\"|'([^']*+)')");

    /** The first element of these blocks has a class with the name of the block. Older editors did not write it. */
    private static final Map<String, Pattern> NAMED = Map.of(
            "paragraph", Pattern.compile("<p(?=[\\s>])[^<>]*+>"),
            "heading", Pattern.compile("<h[1-6](?=[\\s>])[^<>]*+>"),
            "list", Pattern.compile("<[uo]l(?=[\\s>])[^<>]*+>"));

    /** Blocks that hold other blocks, with the layout that they have by default. */
    private static final Map<String, String> LAYOUTS = Map.of(
            "group", "default",
            "column", "default",
            "quote", "default",
            "details", "default",
            "columns", "flex",
            "buttons", "flex",
            "gallery", "flex",
            "social-links", "flex");

    private static final Map<String, String> LAYOUT_CLASSES = Map.of(
            "default", "is-layout-flow",
            "constrained", "is-layout-constrained",
            "flex", "is-layout-flex",
            "grid", "is-layout-grid");

    /** Blocks of text, which an excerpt contains. */
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

    /** Sizes of screens that a block can be hidden on: style sheets do it. */
    private static final List<String> SCREENS = List.of("desktop", "mobile", "tablet");

    private static final Set<String> CONTAINERS = Set.of("columns", "column", "group");

    private final String raw;
    private final StringBuilder html;
    private final Block root = new Block("", 0, "");
    private final Deque<Block> open = new ArrayDeque<>();

    private String notes;

    private Blocks(String raw, String notes) {
        this.raw = raw;
        this.notes = notes;
        html = new StringBuilder(raw.length() + 64);
        open.push(root);
        read();
    }

    /**
     * Removes the comments, and adds the classes that style sheets look for.
     *
     * @param raw the content as written
     * @param notes what the first block of footnotes shows; HTML
     * @return HTML
     */
    static String render(String raw, String notes) {
        return new Blocks(raw, notes).html.toString();
    }

    /**
     * Keeps the parts that belong into an excerpt: text, also within groups and columns.
     *
     * @param raw the content as written
     * @return HTML
     */
    static String texts(String raw) {
        return new Blocks(raw, "").texts();
    }

    private void read() {
        int copied = 0;
        for (BlockMarkup.Delimiter delimiter : BlockMarkup.delimiters(raw)) {
            text(copied, delimiter.begin());
            copied = delimiter.end();
            if (delimiter.closes()) {
                close();
            } else {
                Block block = new Block(delimiter.name(), html.length(), delimiter.json());
                open.getFirst().inner.add(block);
                open.push(block);
                if (delimiter.name().equals("footnotes")) {
                    html.append(notes);
                    notes = ""; // once: a text with many such blocks must not become many times as long
                }
                if (delimiter.isEmpty()) {
                    close();
                }
            }
        }
        text(copied, raw.length());
        while (open.size() > 1) {
            close();
        }
    }

    private void close() {
        if (open.size() > 1) {
            Block block = open.pop();
            if (block.isHidden()) {
                html.setLength(block.begin);
                block.inner.clear();
            } else if (block.name.equals("shortcode")) {
                html.replace(block.begin, html.length(), Paragraphs.of(html.substring(block.begin)));
            }
            block.end = html.length();
        }
    }

    private void text(int from, int to) {
        Block block = open.getFirst();
        if (block == root && from < to) {
            block = new Block("freeform", html.length(), "");
            root.inner.add(block);
        }
        Pattern named = NAMED.get(block.name);
        String layout = LAYOUTS.get(block.name);
        List<String> added = new ArrayList<>(block.hiddenOn);
        if (layout != null) {
            added.add(layoutClasses(block, layout));
        } else if (named != null) {
            added.add("wp-block-" + block.name);
        }
        Matcher tag = (named == null ? TAG : named).matcher(raw).region(from, to);
        if (block.isStyled || added.isEmpty() || !block.inner.isEmpty() || !tag.find()) {
            html.append(raw, from, to);
        } else {
            block.isStyled = true;
            html.append(raw, from, tag.start());
            html.append(added.stream().reduce(tag.group(), Blocks::withClasses));
            html.append(raw, tag.end(), to);
        }
        block.end = html.length();
    }

    private static String layoutClasses(Block block, String usual) {
        String type = block.attributes.path("layout").path("type").asString(usual);
        String layout = LAYOUT_CLASSES.getOrDefault(type, "is-layout-flow");
        String padding = type.equals("constrained") ? "has-global-padding " : "";
        return padding + layout + " wp-block-" + block.name + "-" + layout;
    }

    private static String withClasses(String tag, String added) {
        Matcher classes = CLASS.matcher(tag);
        if (!classes.find()) {
            int end = Markup.name(tag).length() + 1;
            return tag.substring(0, end) + " class=\"" + added + "\"" + tag.substring(end);
        }
        String known = Objects.requireNonNullElse(classes.group(1), classes.group(2));
        if (List.of(known.split("\\s+")).contains(added)) {
            return tag;
        }
        int end = classes.end() - 1;
        return tag.substring(0, end) + (known.isEmpty() ? "" : " ") + added + tag.substring(end);
    }

    /** Within groups and columns each block counts alone. Elsewhere a block counts as a whole, or not at all. */
    private String texts() {
        StringBuilder texts = new StringBuilder(html.length());
        Deque<Block> left = new ArrayDeque<>();
        left.push(root);
        while (!left.isEmpty()) {
            Block block = left.pop();
            boolean isContainer = block == root || CONTAINERS.contains(block.name);
            if (isContainer && !block.inner.isEmpty()) {
                for (int i = block.inner.size() - 1; i >= 0; i--) {
                    left.push(block.inner.get(i));
                }
            } else if ((isContainer || TEXTS.contains(block.name))
                    && block.inner.stream().allMatch(Block::isSimpleText)) {
                texts.append(html, block.begin, block.end);
            }
        }
        return texts.toString();
    }

    /** A block: its place in the HTML, and the blocks in it. */
    private static final class Block {
        final String name;
        final int begin;
        final ObjectNode attributes;
        final List<String> hiddenOn;
        final List<Block> inner = new ArrayList<>();
        int end;
        boolean isStyled;

        Block(String name, int begin, String json) {
            this.name = name;
            this.begin = begin;
            attributes = BlockMarkup.attributes(json);
            JsonNode screens = visibility().path("viewport");
            hiddenOn = SCREENS.stream()
                    .filter(screen -> isFalse(screens.path(screen)))
                    .map(screen -> "wp-block-hidden-" + screen)
                    .toList();
            end = begin;
        }

        private JsonNode visibility() {
            return attributes.path("metadata").path("blockVisibility");
        }

        /** Whether its author has hidden it from everybody, with all that is in it. */
        boolean isHidden() {
            return isFalse(visibility()) || hiddenOn.size() == SCREENS.size();
        }

        private static boolean isFalse(JsonNode value) {
            return value.isBoolean() && !value.booleanValue();
        }

        boolean isSimpleText() {
            return TEXTS.contains(name) && inner.isEmpty();
        }
    }
}

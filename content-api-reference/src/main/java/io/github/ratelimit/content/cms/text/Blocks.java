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
import java.util.function.UnaryOperator;
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

    static final Pattern DELIMITER = Pattern.compile(
            "<!--\\s++(/)?wp:((?:[a-z][a-z0-9_-]*+/)?+[a-z][a-z0-9_-]*+)\\s++(?:(\\{.*\\})\\s++)?(/)?-->",
            Pattern.DOTALL);

    /** Blocks whose first element carries a class with the name of the block, which older editors did not write. */
    private static final Map<String, Pattern> MARKED = Map.of(
            "paragraph", Pattern.compile("<p(?=[\\s>])[^<>]*+>"),
            "heading", Pattern.compile("<h[1-6](?=[\\s>])[^<>]*+>"),
            "list", Pattern.compile("<[uo]l(?=[\\s>])[^<>]*+>"));

    /**
     * How far from its beginning a block's own element is looked for. Chosen: it is the first thing in a block, and each of many
     * blocks within each other would look through all of the text.
     */
    private static final int NEAR = 1_000;
    /** Chosen: nobody has so many blocks around one tag, and each change writes it anew. Outer ones leave it as it is then. */
    private static final int MOST_CHANGES = 100;
    /** Chosen: nobody writes so many into a text, and each takes many times its length. The comments behind them stay as they are. */
    static final int MOST = 5_000;

    private static final Pattern SOURCE = Pattern.compile("\\ssrc=(?:\"[^\"]|'[^'])", Pattern.CASE_INSENSITIVE);
    private static final Pattern LABEL = Pattern.compile("\\saria-label=\"([^\"]*)\"", Pattern.CASE_INSENSITIVE);
    /** What the preview of a file is called that has no name. */
    private static final String UNNAMED = "PDF embed";

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

    /** Blocks in which there are no others. */
    private static final Set<String> LEAVES = Set.of("button", "file", "image", "shortcode");

    /** Blocks that only arrange others. */
    private static final Set<String> ARRANGEMENTS = Set.of("columns", "column", "group");

    private static final Pattern CLASS = Pattern.compile("\\sclass=(?:\"([^\"]*+)\"|'([^']*+)')");

    private final String raw;
    private final StringBuilder html;
    private final Block root = new Block(null, 0, "");
    private final Deque<Block> open = new ArrayDeque<>();
    /** What becomes of a tag, by its place; done at the end, so that no place changes before. */
    private final NavigableMap<Integer, List<UnaryOperator<String>>> changes = new TreeMap<>();

    /** Where the last search for a tag began, how far it went, and what it found, or -1. */
    private int lookedFrom = -1;

    private int lookedTo;
    private int foundTag;

    /** Whether room is left for what is filled in when somebody reads it. */
    private final boolean isServed;

    private int count;
    private int numbers;
    /** How many of the open blocks hide what is in them until they are unfolded. */
    private int folded;

    private Blocks(String raw, boolean isServed) {
        this.raw = raw;
        this.isServed = isServed;
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
     * Leaves out the comments that part the blocks, and names how blocks arrange others. A block with nothing in it leaves a mark, where {@link
     * ServedBlock} can be filled in.
     *
     * @param raw the content as written
     * @return what is shown of it
     */
    static String render(String raw) {
        Blocks blocks = new Blocks(raw, true);
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
        Blocks blocks = new Blocks(raw, false);
        blocks.read();
        return blocks.excerpt();
    }

    private void read() {
        int copied = 0;
        int begin = raw.indexOf("<!--");
        Matcher delimiter = DELIMITER.matcher(raw);
        while (begin >= 0) {
            int end = raw.indexOf("-->", begin);
            if (end < 0) {
                break;
            }
            end += 3;
            int start = delimiterStart(delimiter, raw, begin, end);
            if (start >= 0 && count == MOST && delimiter.group(1) == null) {
                closeAllWithin(); // What comes behind belongs to no block, not to the last one.
                break;
            }
            if (start >= 0) {
                text(copied, start);
                delimiter(
                        start,
                        delimiter.group(1) != null,
                        delimiter.group(2),
                        Optional.ofNullable(delimiter.group(3)).orElse(""),
                        delimiter.group(4) != null);
                copied = end;
            }
            begin = raw.indexOf("<!--", end);
        }
        text(copied, raw.length());
        closeAllWithin();
        close(open.pop());
    }

    /** Closes all blocks but the text itself. */
    private void closeAllWithin() {
        while (open.size() > 1) {
            close(open.pop());
        }
    }

    /**
     * Looks for a comment that begins or ends a block, also behind others that were never closed.
     *
     * @param delimiter matched, if there is one
     * @param begin where a comment begins
     * @param end behind the next end of one
     * @return where it begins, or -1
     */
    static int delimiterStart(Matcher delimiter, String raw, int begin, int end) {
        if (delimiter.region(begin, end).matches()) {
            return begin;
        }
        int last = raw.lastIndexOf("<!--", end - 3);
        return last > begin && delimiter.region(last, end).matches() ? last : -1;
    }

    private void delimiter(int place, boolean closes, String name, String attributes, boolean empty) {
        if (!closes) {
            count++;
            String plain = name.startsWith("core/") ? name.substring(5) : name;
            Block block = new Block(plain, html.length(), attributes);
            Block outer = open.getFirst();
            if (outer.inner.isEmpty()) {
                outer.firstInner = html.length();
            }
            outer.inner.add(block);
            if (empty) {
                if (isServed) {
                    html.append(Placeholders.SERVED).append(place).append(Placeholders.SERVED);
                }
                block.end = html.length();
            } else {
                open.push(block);
                block.style = BlockLayouts.style(plain, attributes(attributes));
                block.number = block.style.isEmpty() ? 0 : ++numbers;
                folded += plain.equals("details") && isFolded(attributes(attributes)) ? 1 : 0;
            }
        } else if (open.size() > 1) {
            close(open.pop());
        }
    }

    private void close(Block block) {
        block.end = html.length();
        if (block.name == null) {
            return;
        }
        ObjectNode attributes = attributes(block.attributes);
        finish(block, attributes);
        String size =
                attributes.path("style").path("typography").path("fontSize").asString("");
        if (!size.isEmpty()) {
            int tag = firstTag(block.begin, block.end, "");
            if (tag >= 0) {
                change(tag, found -> FluidSizes.apply(found, size));
            }
        }
        if (BlockLayouts.arranges(block.name)) {
            List<String> classes = BlockLayouts.classes(block.name, attributes);
            if (block.name.equals("gallery")) {
                addClass(firstTag(block.begin, block.end, ""), "wp-block-gallery-" + ++numbers);
            }
            int wrapper = wrapper(block);
            classes.forEach(name -> addClass(wrapper, name));
        }
        if (block.number > 0) {
            addClass(firstTag(block.begin, block.end, ""), block.numberedStyle());
        }
    }

    private static boolean isFolded(ObjectNode attributes) {
        return !attributes.path("showContent").asBoolean(false);
    }

    /** Does what blocks of one kind alone need. Pictures, buttons, files and shortcodes hold no other blocks. */
    private void finish(Block block, ObjectNode attributes) {
        String name = block.name == null || (LEAVES.contains(block.name) && !block.inner.isEmpty()) ? "" : block.name;
        switch (name) {
            case "image" -> {
                int picture = tagNamed("img", block.begin, block.end);
                if (picture < 0
                        || !SOURCE.matcher(html.substring(picture, Markup.end(html, picture)))
                                .find()) {
                    drop(block);
                }
            }
            case "gallery" -> block.inner.forEach(this::number);
            case "button" -> {
                if (isEmptyButton(block)) {
                    drop(block);
                }
            }
            case "details" -> {
                // What is folded away must not be loaded before what is seen. The outermost one finds all.
                if (isFolded(attributes) && --folded == 0) {
                    int picture = tagNamed("img", block.begin, block.end);
                    while (picture >= 0) {
                        change(picture, tag -> withAttribute(tag, "fetchpriority", "low"));
                        picture = tagNamed("img", Markup.end(html, picture), block.end);
                    }
                }
            }
            case "file" ->
                describePreview(block, attributes.path("displayPreview").asBoolean(false));
            case "shortcode" -> {
                String paragraphs = Paragraphs.of(html.substring(block.begin));
                lookedFrom = -1;
                html.replace(block.begin, block.end, paragraphs);
                block.end = html.length();
            }
            default -> {}
        }
    }

    /** Pictures of a gallery carry their number, as scripts of older galleries look for it. */
    private void number(Block inner) {
        if (!"image".equals(inner.name)) {
            return;
        }
        String id = attributes(inner.attributes).path("id").asString("");
        int picture = tagNamed("img", inner.begin, inner.end);
        if (id.matches("[0-9]+") && picture >= 0) {
            change(picture, tag -> withAttribute(tag, "data-id", id));
        }
    }

    private boolean isEmptyButton(Block block) {
        int link = tagNamed("a", block.begin, block.end);
        int button = link < 0 ? tagNamed("button", block.begin, block.end) : link;
        if (button < 0) {
            return firstTag(block.begin, block.end, "") >= 0;
        }
        return html.substring(Markup.end(html, button), block.end).startsWith("</");
    }

    private void describePreview(Block block, boolean isShown) {
        int preview = tagNamed("object", block.begin, block.end);
        if (preview >= 0) {
            change(preview, tag -> {
                Matcher label = LABEL.matcher(tag);
                if (!label.find()) {
                    return tag;
                }
                String name = label.group(1);
                String said = name.isEmpty() || name.equals(UNNAMED) ? UNNAMED : "Embed of " + name + ".";
                return tag.substring(0, label.start(1)) + said + tag.substring(label.end(1));
            });
        }
        if (isShown) {
            int first = firstTag(block.begin, block.end, "");
            if (first >= 0) {
                change(first, tag -> withAttribute(tag, "data-wp-interactive", "core/file"));
            }
            if (preview >= 0) {
                change(
                        preview,
                        tag -> withAttribute(
                                withAttribute(tag, "hidden", ""), "data-wp-bind--hidden", "!state.hasPdfPreview"));
            }
        }
    }

    /** Leaves a block out that shows nothing. */
    private void drop(Block block) {
        lookedFrom = -1;
        html.setLength(block.begin);
        changes.tailMap(block.begin, true).clear();
        block.inner.clear();
        block.end = block.begin;
    }

    private int tagNamed(String name, int from, int to) {
        int at = html.indexOf("<" + name, from);
        while (at >= 0 && at < to) {
            int end = at + 1 + name.length();
            if (end < to && !Character.isLetterOrDigit(html.charAt(end)) && html.charAt(end) != '-') {
                return at;
            }
            at = html.indexOf("<" + name, at + 1);
        }
        return -1;
    }

    private void change(int tag, UnaryOperator<String> change) {
        List<UnaryOperator<String>> others = changes.computeIfAbsent(tag, place -> new ArrayList<>());
        if (others.size() < MOST_CHANGES) {
            others.add(change);
        }
    }

    /** Sets an attribute where it stands, or before all others. */
    private static String withAttribute(String tag, String name, String value) {
        String attribute = " " + name + (value.isEmpty() ? "" : "=\"" + value + "\"");
        Matcher found = Pattern.compile("\\s" + name + "(?:=(?:\"[^\"]*\"|'[^']*'))?(?=[\\s/>])")
                .matcher(tag);
        if (found.find()) {
            return tag.substring(0, found.start()) + attribute + tag.substring(found.end());
        }
        int end = Markup.name(tag).length() + 1;
        return tag.substring(0, end) + attribute + tag.substring(end);
    }

    static ObjectNode attributes(String json) {
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
            int last = Math.min(block.firstInner, block.begin + NEAR);
            int at = bracket(block.begin, last);
            while (at < last) {
                int end = Markup.end(html, at, last);
                String found = classes(html.substring(at, end));
                classes = found.isEmpty() ? classes : found;
                at = bracket(end, last);
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
        return classes.isEmpty() ? firstTag(from, to) : firstTagOf(from, to, classes);
    }

    /**
     * Finds the first opening tag. The blocks around this one begin with other tags at most, and go on where it began: what it found is
     * theirs too, and nobody looks again.
     */
    private int firstTag(int from, int to) {
        int last = Math.min(to, from + NEAR);
        int first = bracket(from, last);
        int at = first;
        while (at + 1 < last && !Character.isLetter(html.charAt(at + 1))) {
            if (at == lookedFrom && (foundTag >= 0 || last <= lookedTo)) {
                at = foundTag >= 0 ? foundTag : last;
            } else {
                at = bracket(Math.max(Markup.end(html, at, last), at + 1), last);
            }
        }
        lookedFrom = first;
        lookedTo = last;
        foundTag = at + 1 < last ? at : -1;
        return foundTag;
    }

    private int firstTagOf(int from, int to, String classes) {
        int last = Math.min(to, from + NEAR);
        int at = bracket(from, last);
        while (at + 1 < last) {
            int end = Markup.end(html, at, last);
            if (Character.isLetter(html.charAt(at + 1))
                    && classes(html.substring(at, end)).contains(classes)) {
                return at;
            }
            at = bracket(Math.max(end, at + 1), last);
        }
        return -1;
    }

    private int bracket(int from, int last) {
        int at = from;
        while (at < last && html.charAt(at) != '<') {
            at++;
        }
        return at;
    }

    private void addClass(int tag, String name) {
        if (tag >= 0) {
            change(tag, found -> withClass(found, name));
        }
    }

    private String arranged() {
        StringBuilder arranged = new StringBuilder(html.length() + 64);
        int copied = 0;
        for (Map.Entry<Integer, List<UnaryOperator<String>>> entry : changes.entrySet()) {
            if (entry.getKey() < copied) {
                // What looks like a tag within the attribute of another one.
                continue;
            }
            int end = Markup.end(html, entry.getKey());
            String tag = html.substring(entry.getKey(), end);
            for (UnaryOperator<String> change : entry.getValue()) {
                tag = change.apply(tag);
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
        String styled = block.number == 0 ? tag.group() : withClass(tag.group(), block.numberedStyle());
        block.number = 0;
        html.append(withClass(styled, "wp-block-" + block.name));
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
            boolean isArrangement = block.name != null && ARRANGEMENTS.contains(block.name);
            if (block != root && !isArrangement && !block.isText()) {
                continue;
            }
            // What is arranged is looked at by itself, however deep; else a block is taken as a whole, or not at all.
            if (block == root || (!block.inner.isEmpty() && (isArrangement || block.isArranged))) {
                for (int i = block.inner.size() - 1; i >= 0; i--) {
                    Block inner = block.inner.get(i);
                    inner.isArranged = block != root;
                    left.push(inner);
                }
            } else if (block.inner.stream().allMatch(Block::isSimpleText)) {
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
        boolean isArranged;
        String style = "";
        int number;

        Block(@Nullable String name, int begin, String attributes) {
            this.name = name;
            this.begin = begin;
            this.attributes = attributes;
            end = begin;
        }

        String numberedStyle() {
            return "is-style-" + style + "--" + number;
        }

        boolean isText() {
            return name != null && TEXTS.contains(name);
        }

        boolean isSimpleText() {
            return isText() && inner.isEmpty();
        }
    }
}

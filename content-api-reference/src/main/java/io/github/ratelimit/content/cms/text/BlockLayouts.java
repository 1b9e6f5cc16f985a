package io.github.ratelimit.content.cms.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The classes that tell a style sheet how a block arranges the blocks within it.
 *
 * <p>Chosen: those that a site has whose theme knows gaps between blocks and pads its root.
 */
final class BlockLayouts {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /**
     * How a kind of block arranges others.
     *
     * @param usual its layout where it names none; a type, and whether all stays on one line
     * @param gap what parts the others where nothing else does
     * @param skipsGap whether a gap is its own concern
     */
    private record Kind(ObjectNode usual, String gap, boolean skipsGap) {}

    /** What parts blocks on a site whose theme says nothing else. */
    private static final String GAP = "1.2rem";

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry("group", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("column", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("cover", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("quote", new Kind(JSON.objectNode(), "var(--wp--preset--spacing--30)", false)),
            Map.entry("details", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("accordion-panel", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("query", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("terms-query", new Kind(JSON.objectNode(), GAP, false)),
            Map.entry("columns", new Kind(flex().put("flexWrap", "nowrap"), "var(--wp--preset--spacing--50)", false)),
            Map.entry("buttons", new Kind(flex(), "16px", false)),
            Map.entry("gallery", new Kind(flex(), GAP, true)),
            Map.entry("social-links", new Kind(flex(), GAP, false)));

    private static final Map<String, String> CLASSES = Map.of(
            "default", "is-layout-flow",
            "constrained", "is-layout-constrained",
            "flex", "is-layout-flex",
            "grid", "is-layout-grid");

    private static final Set<String> SECTIONS = Set.of("section-1", "section-2", "section-3", "section-4", "section-5");
    private static final Set<String> WORDS = Set.of("text-display", "text-subtitle", "text-annotation");

    /** The looks of the theme, by block. */
    private static final Map<String, Set<String>> STYLES = Map.of(
            "button", Set.of("outline"),
            "separator", Set.of("wide"),
            "quote", Set.of("plain"),
            "heading", WORDS,
            "paragraph", WORDS,
            "group", SECTIONS,
            "columns", SECTIONS,
            "column", SECTIONS);

    private static final Pattern STYLE = Pattern.compile("(?<![\\w-])is-style-(\\S+)");

    private static final Set<String> JUSTIFIED = Set.of("left", "right", "center");
    private static final Set<String> ALIGNED = Set.of("top", "center", "bottom");

    private static final Pattern NO_STYLE = Pattern.compile("[\\\\(&=}]|/\\*");

    private BlockLayouts() {}

    private static ObjectNode flex() {
        return JSON.objectNode().put("type", "flex");
    }

    /**
     * Finds the look of a block that the theme knows, and that it names as a class.
     *
     * @param block its name without a namespace
     * @param attributes as its comment tells them
     * @return the name of the look; empty for the usual one
     */
    static String style(String block, ObjectNode attributes) {
        Matcher style = STYLE.matcher(attributes.path("className").asString(""));
        Set<String> known = STYLES.getOrDefault(block, Set.of());
        while (style.find()) {
            if (known.contains(style.group(1))) {
                return style.group(1);
            }
        }
        return "";
    }

    /**
     * Tells whether a block arranges others.
     *
     * @param block its name without a namespace
     * @return whether it has classes
     */
    static boolean arranges(String block) {
        return KINDS.containsKey(block);
    }

    /**
     * Names the classes of a block.
     *
     * @param block its name without a namespace
     * @param attributes as its comment tells them
     * @return in order; none for a block that arranges nothing
     */
    static List<String> classes(String block, ObjectNode attributes) {
        Kind kind = KINDS.get(block);
        if (kind == null) {
            return List.of();
        }
        JsonNode own = attributes.path("layout");
        ObjectNode used = own instanceof ObjectNode layout ? layout.deepCopy() : kind.usual();
        if (isTrue(used.path("inherit")) || isTrue(used.path("contentSize"))) {
            used.put("type", "constrained");
        }
        String type = used.path("type").asString("default");
        List<String> classes = new ArrayList<>();
        if (type.equals("constrained")) {
            classes.add("has-global-padding");
        }
        addNamed(classes, "is-", own.path("orientation"));
        addNamed(classes, "is-content-justification-", own.path("justifyContent"));
        if (own.path("flexWrap").asString("").equals("nowrap")) {
            classes.add("is-nowrap");
        }
        String arranged = CLASSES.getOrDefault(type, "");
        if (!arranged.isEmpty()) {
            classes.add(arranged);
        }
        JsonNode spacing = attributes.path("style").path("spacing");
        JsonNode gap = harmless(spacing.path("blockGap"));
        boolean isPadded = type.equals("constrained") && isPadded(spacing.path("padding"));
        if (isPadded || hasStyle(type, used, !gap.isNull() && !kind.skipsGap())) {
            ArrayNode values = JSON.arrayNode().add(used).add(true).add(gap).add(kind.skipsGap());
            values.add(kind.gap()).add(spacing.isObject() ? spacing : JSON.nullNode());
            classes.add("wp-container-core-" + block + "-is-layout-" + digest(values));
        }
        classes.add("wp-block-" + block + "-" + arranged);
        return classes;
    }

    private static void addNamed(List<String> classes, String prefix, JsonNode name) {
        String slug = Slugs.of(name.asString(""));
        if (!slug.isEmpty()) {
            classes.add(prefix + slug);
        }
    }

    private static boolean isTrue(JsonNode value) {
        return value.isBoolean() ? value.booleanValue() : !value.asString("").isEmpty();
    }

    /** What is as wide as the page reaches over the padding at its sides. */
    private static boolean isPadded(JsonNode padding) {
        return isTrue(padding.path("left")) || isTrue(padding.path("right"));
    }

    /** Tells whether a block needs rules of its own, beside those that all blocks of its kind share. */
    private static boolean hasStyle(String type, ObjectNode layout, boolean hasGap) {
        String justified = layout.path("justifyContent").asString("");
        return hasGap
                || switch (type) {
                    case "grid" -> true;
                    case "constrained" ->
                        isTrue(layout.path("contentSize"))
                                || isTrue(layout.path("wideSize"))
                                || justified.equals("left")
                                || justified.equals("right");
                    case "flex" ->
                        layout.path("orientation").asString("horizontal").equals("vertical")
                                || layout.path("flexWrap").asString("").equals("nowrap")
                                || JUSTIFIED.contains(justified)
                                || justified.equals("space-between")
                                || ALIGNED.contains(
                                        layout.path("verticalAlignment").asString(""))
                                || layout.path("verticalAlignment").asString("").equals("stretch");
                    default -> false;
                };
    }

    private static JsonNode harmless(JsonNode gap) {
        if (gap instanceof ObjectNode sides) {
            ObjectNode kept = JSON.objectNode();
            sides.properties().forEach(side -> kept.set(side.getKey(), harmless(side.getValue())));
            return kept;
        }
        return gap.isMissingNode() || NO_STYLE.matcher(gap.asString("")).find() ? JSON.nullNode() : gap;
    }

    private static String digest(ArrayNode values) {
        StringBuilder json = new StringBuilder();
        write(values, json);
        // Names a rule of a style sheet, and must be the same on every server; nothing is protected by it.
        byte[] hash = DigestUtils.md5Digest(json.toString().getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(hash, 0, 4);
    }

    /** Spells values in ASCII, slashes escaped, and an object without members as a list without items. */
    private static void write(@Nullable JsonNode value, StringBuilder json) {
        if (value instanceof ObjectNode object && !object.isEmpty()) {
            char before = '{';
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                json.append(before);
                writeText(member.getKey(), json);
                json.append(':');
                write(member.getValue(), json);
                before = ',';
            }
            json.append('}');
        } else if (value instanceof ArrayNode list && !list.isEmpty()) {
            char before = '[';
            for (JsonNode item : list) {
                json.append(before);
                write(item, json);
                before = ',';
            }
            json.append(']');
        } else if (value == null || value.isNull()) {
            json.append("null");
        } else if (value.isContainer()) {
            json.append("[]");
        } else if (value.isString()) {
            writeText(value.stringValue(), json);
        } else {
            json.append(value);
        }
    }

    private static void writeText(String text, StringBuilder json) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == '"' || one == '\\' || one == '/') {
                json.append('\\').append(one);
            } else if (one < ' ' || one > '~') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
            } else {
                json.append(one);
            }
        }
        json.append('"');
    }
}

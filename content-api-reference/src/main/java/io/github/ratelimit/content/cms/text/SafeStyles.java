package io.github.ratelimit.content.cms.text;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Declarations of a {@code style} attribute that only change how something looks, and load nothing but pictures.
 *
 * <p>A declaration stays as it was written or goes away as a whole.
 */
final class SafeStyles {
    private static final Set<String> PROPERTIES = properties();
    private static final Set<String> WITH_ADDRESS = Set.of("background", "background-image", "cursor", "filter");
    private static final Set<String> WITH_GRADIENT = Set.of("background", "background-image");

    private static final Pattern CUSTOM = Pattern.compile("--[a-zA-Z0-9_-]+");
    private static final String ADDRESS = "url(";
    private static final Pattern GRADIENT =
            Pattern.compile("(?:repeating-)?(?:linear|radial|conic)-gradient\\((?:rgba?\\([^()]*+\\)|[^()])*+\\)");
    private static final Pattern FUNCTION =
            Pattern.compile("(?<![A-Za-z0-9_])(?:var|calc|min|max|minmax|clamp|repeat)\\(");
    private static final Pattern HARMFUL = Pattern.compile("[\\\\(&=}]|/\\*");

    /** Chosen: longer than any gradient that somebody drew. */
    private static final int LONGEST_GRADIENT = 2000;

    private SafeStyles() {}

    private static Set<String> properties() {
        Set<String> names = new HashSet<>();
        for (String row : new String[] {
            "background: . color image position repeat size attachment blend-mode",
            "border: . radius width color style spacing collapse",
            "border-top border-right border-bottom border-left: . color style width",
            "border-top border-bottom: left-radius right-radius",
            "caption: side",
            "columns color filter gap height width: .",
            "column: count fill gap rule span width",
            "font: . family size style variant weight",
            "letter: spacing",
            "line: height",
            "text: align decoration indent transform",
            "min max: height width",
            "margin padding: . top right bottom left block-start block-end inline-start inline-end",
            "flex: . basis direction flow grow shrink wrap",
            "row: gap",
            "grid: template-columns auto-columns column column-start column-end column-gap template-rows auto-rows row row-start"
                    + " row-end row-gap gap",
            "justify: content items self",
            "align: content items self",
            "clear container-type cursor direction display float opacity overflow position top right bottom left white-space: .",
            "list-style: type",
            "object: fit position",
            "vertical: align",
            "writing: mode",
            "z: index",
            "box: shadow",
            "aspect: ratio",
        }) {
            String[] parts = row.split(":", 2);
            for (String name : parts[0].split(" ", -1)) {
                for (String suffix : parts[1].strip().split(" ", -1)) {
                    names.add(suffix.equals(".") ? name : name + "-" + suffix);
                }
            }
        }
        return names;
    }

    /**
     * Leaves out declarations that are not known, or could do harm.
     *
     * @param style the value of the attribute
     * @return the others in their order; may be empty
     */
    static String of(String style) {
        StringBuilder kept = new StringBuilder(style.length());
        for (String declaration : style.replaceAll("[\\n\\r\\t]", "").strip().split(";", -1)) {
            String stripped = declaration.strip();
            if (!stripped.isEmpty() && isSafe(stripped)) {
                kept.append(kept.isEmpty() ? "" : ";").append(stripped);
            }
        }
        return kept.toString();
    }

    private static boolean isSafe(String declaration) {
        int colon = declaration.indexOf(':');
        if (colon < 0) {
            return isHarmless(declaration);
        }
        String name = declaration.substring(0, colon).strip();
        String value = declaration.substring(colon + 1).strip();
        boolean isCustom = CUSTOM.matcher(name).matches();
        if (!isCustom && !PROPERTIES.contains(name)) {
            return false;
        }
        String left = value;
        if (WITH_ADDRESS.contains(name) || (isCustom && value.startsWith(ADDRESS))) {
            String rest = withoutSafeAddresses(value);
            if (rest == null) {
                return false;
            }
            left = rest;
        }
        boolean mayBeGradient = (WITH_GRADIENT.contains(name) || isCustom) && value.length() <= LONGEST_GRADIENT;
        if (mayBeGradient && GRADIENT.matcher(value).matches()) {
            left = "";
        }
        return isHarmless(name + ":" + left);
    }

    /** Returns null where an address is not safe. */
    private static @Nullable String withoutSafeAddresses(String value) {
        StringBuilder rest = new StringBuilder(value.length());
        int copied = 0;
        int open = value.indexOf(ADDRESS);
        while (open >= 0) {
            int close = value.indexOf(')', open);
            if (close < 0) {
                break;
            }
            String target =
                    unquoted(value.substring(open + ADDRESS.length(), close).strip());
            if (target.isEmpty() || !SafeAddresses.of(target).equals(target)) {
                return null;
            }
            rest.append(value, copied, open);
            copied = close + 1;
            open = value.indexOf(ADDRESS, copied);
        }
        return rest.append(value, copied, value.length()).toString();
    }

    private static String unquoted(String text) {
        boolean isQuoted = text.length() > 1
                && (text.charAt(0) == '"' || text.charAt(0) == '\'')
                && text.charAt(text.length() - 1) == text.charAt(0);
        return isQuoted ? text.substring(1, text.length() - 1).strip() : text;
    }

    private static boolean isHarmless(String declaration) {
        return !HARMFUL.matcher(withoutFunctions(declaration)).find();
    }

    /** Takes away functions that only compute, with all that is between their brackets. */
    private static String withoutFunctions(String declaration) {
        StringBuilder rest = new StringBuilder(declaration.length());
        Matcher function = FUNCTION.matcher(declaration);
        int copied = 0;
        while (function.find(copied)) {
            int depth = 1;
            int at = function.end();
            while (at < declaration.length() && depth > 0) {
                char one = declaration.charAt(at++);
                depth += one == '(' ? 1 : one == ')' ? -1 : 0;
            }
            if (depth > 0) {
                break;
            }
            rest.append(declaration, copied, function.start());
            copied = at;
        }
        return rest.append(declaration, copied, declaration.length()).toString();
    }
}

package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pattern of a route, such as {@code /posts/<id>}. A parameter stands for digits, unless it names an expression, as in
 * {@code /passwords/<uuid:[\w\-]+>}.
 */
final class RoutePattern {
    private static final Pattern PARAMETER = Pattern.compile("<(\\w+)(?::([^>]+))?>");
    private static final String DIGITS = "[\\d]+";

    private final String namespace;
    private final String path;
    private final List<String> names;
    private final Pattern expression;

    /**
     * Reads a pattern.
     *
     * @param namespace is matched in its letter case; empty for none
     * @param path behind it, is matched in any letter case
     */
    RoutePattern(String namespace, String path) {
        this.namespace = namespace.isEmpty() ? "" : "/" + namespace;
        this.path = path.isEmpty() && namespace.isEmpty() ? "/" : path;
        List<String> found = new ArrayList<>();
        PARAMETER.matcher(path).results().forEach(parameter -> found.add(parameter.group(1)));
        this.names = List.copyOf(found);
        this.expression = Pattern.compile(this.namespace + "(?i:" + spelled(this.path, "(") + ")");
    }

    private static String spelled(String path, String group) {
        return PARAMETER.matcher(path).replaceAll(parameter -> {
            String expression = parameter.group(2) == null ? DIGITS : parameter.group(2);
            return Matcher.quoteReplacement(group.formatted(parameter.group(1)) + expression + ")");
        });
    }

    /** Returns the values of the parameters if a path has this pattern. */
    Optional<Map<String, String>> match(String sent) {
        Matcher matcher = expression.matcher(sent);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            values.put(names.get(i), matcher.group(i + 1));
        }
        return Optional.of(values);
    }

    /** Returns the path with these values, in the letter case of the pattern. */
    String path(Map<String, String> values) {
        return namespace
                + PARAMETER
                        .matcher(path)
                        .replaceAll(parameter -> Matcher.quoteReplacement(values.getOrDefault(parameter.group(1), "")));
    }

    boolean isFixed() {
        return names.isEmpty();
    }

    /** Spells the pattern as the index does. */
    @Override
    public String toString() {
        return namespace + spelled(path, "(?P<%s>");
    }
}

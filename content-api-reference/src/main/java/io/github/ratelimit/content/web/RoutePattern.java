package io.github.ratelimit.content.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a route's path: fixed segments, and named ones such as {@code (?P<id>[\d]+)}.
 *
 * <p>Written as {@code /posts/<id>}, where a named segment stands for digits, or as {@code /passwords/<uuid:[\w\-]+>}.
 * Each named segment is matched on its own, so no pattern reaches across a slash.
 */
final class RoutePattern {
    private static final String DIGITS = "[\\d]+";
    /** Longer segments are no ids: they are not even tried. Chosen: longer than any name, shorter than a trap. */
    private static final int LONGEST_SEGMENT = 200;

    private record Segment(String literal, @Nullable String name, String expression, Pattern compiled) {}

    private final List<Segment> segments;
    private final String spelled;

    private RoutePattern(List<Segment> segments) {
        this.segments = segments;
        StringBuilder text = new StringBuilder();
        for (Segment segment : segments) {
            text.append('/')
                    .append(
                            segment.name() == null
                                    ? segment.literal()
                                    : "(?P<" + segment.name() + ">" + segment.expression() + ")");
        }
        this.spelled = text.isEmpty() ? "/" : text.toString();
    }

    static RoutePattern of(String path) {
        List<Segment> segments = new ArrayList<>();
        for (String part : split(path)) {
            if (!part.startsWith("<")) {
                segments.add(new Segment(part, null, "", Pattern.compile(Pattern.quote(part))));
                continue;
            }
            String[] named = part.substring(1, part.length() - 1).split(":", 2);
            String expression = named.length == 2 ? named[1] : DIGITS;
            segments.add(new Segment("", named[0], expression, Pattern.compile(expression)));
        }
        return new RoutePattern(List.copyOf(segments));
    }

    /** Splits a path into its segments; one slash at the end is allowed, a missing one at the start is not. */
    static List<String> split(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a route's path must start with a slash, was '" + path + "'");
        }
        String inner = path.substring(1, path.length() > 1 && path.endsWith("/") ? path.length() - 1 : path.length());
        return inner.isEmpty() ? List.of() : List.of(inner.split("/", -1));
    }

    /** Tells the values of the named segments, if the path is of this shape. */
    Optional<Map<String, String>> match(List<String> path) {
        if (path.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            String part = path.get(i);
            if (segment.name() == null) {
                if (!segment.literal().equals(part)) {
                    return Optional.empty();
                }
            } else if (part.length() > LONGEST_SEGMENT
                    || !segment.compiled().matcher(part).matches()) {
                return Optional.empty();
            } else {
                values.put(segment.name(), part);
            }
        }
        return Optional.of(values);
    }

    int length() {
        return segments.size();
    }

    boolean isFixed() {
        return segments.stream().allMatch(segment -> segment.name() == null);
    }

    /** Spells the pattern as the index does. */
    @Override
    public String toString() {
        return spelled;
    }
}

package io.github.ratelimit.content.cms.rest;

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

    private static final int ANY_CASE = Pattern.CASE_INSENSITIVE;
    /** Longer segments are no ids: they are not even tried. Chosen: longer than any name, shorter than a trap. */
    private static final int LONGEST_SEGMENT = 200;

    private record Segment(
            String literal,
            boolean isExact,
            @Nullable String name,
            String expression,
            @Nullable Pattern compiled) {
        static Segment literal(String text, boolean isExact) {
            return new Segment(text, isExact, null, "", null);
        }

        static Segment named(String name, String expression) {
            return new Segment("", false, name, expression, Pattern.compile(expression, ANY_CASE));
        }

        boolean matches(String part) {
            if (compiled != null) {
                return part.length() <= LONGEST_SEGMENT
                        && compiled.matcher(part).matches();
            }
            return part.equals(literal) || (!isExact && isSameWord(part));
        }

        /** In any letter case, of the letters that routes are spelled with. */
        private boolean isSameWord(String part) {
            if (part.length() != literal.length()) {
                return false;
            }
            for (int i = 0; i < part.length(); i++) {
                if (lower(part.charAt(i)) != lower(literal.charAt(i))) {
                    return false;
                }
            }
            return true;
        }

        private static char lower(char one) {
            return one >= 'A' && one <= 'Z' ? (char) (one - 'A' + 'a') : one;
        }
    }

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

    /**
     * Reads a pattern.
     *
     * @param namespace is written as it is declared; empty for none
     * @param path behind it, in any letter case
     */
    static RoutePattern of(String namespace, String path) {
        List<Segment> segments = new ArrayList<>();
        split("/" + namespace).forEach(part -> segments.add(Segment.literal(part, true)));
        for (String part : split(path.isEmpty() ? "/" : path)) {
            if (!part.startsWith("<")) {
                segments.add(Segment.literal(part, false));
                continue;
            }
            String[] named = part.substring(1, part.length() - 1).split(":", 2);
            segments.add(Segment.named(named[0], named.length == 2 ? named[1] : DIGITS));
        }
        return new RoutePattern(List.copyOf(segments));
    }

    /** Splits a path into its segments. */
    static List<String> split(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a route's path must start with a slash, was '" + path + "'");
        }
        return path.length() == 1 ? List.of() : List.of(path.substring(1).split("/", -1));
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
            if (!segment.matches(part)) {
                return Optional.empty();
            }
            if (segment.name() != null) {
                values.put(segment.name(), part);
            }
        }
        return Optional.of(values);
    }

    /** Spells the path of a request as the pattern is declared. */
    String canonical(List<String> path) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < path.size(); i++) {
            Segment segment = segments.get(i);
            text.append('/').append(segment.name() == null ? segment.literal() : path.get(i));
        }
        return text.isEmpty() ? "/" : text.toString();
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

package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.spring.Diagnostic;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The paths of an application's controllers, and warnings of path rules that match nothing.
 *
 * <p>Filters, servlets and files may serve other paths, so only a pattern that begins with the path of the whole application is warned of:
 * patterns are compared below it.
 *
 * @param patterns of the controllers' methods
 * @param rootProperty the property of the path of the whole application
 * @param root that path; empty: none
 */
record ServedPaths(List<String> patterns, String rootProperty, String root) {

    void warnOf(List<LimitedPlace> places, Diagnostics diagnostics) {
        for (LimitedPlace place : places) {
            String pattern = place.paths().get(0);
            boolean isBelowRoot = root.length() > 1 && (pattern.equals(root) || pattern.startsWith(root + "/"));
            if (place.handler() == null && isBelowRoot && !isServed(place)) {
                String below = pattern.substring(root.length());
                diagnostics.warn(
                        Diagnostic.PATH_MATCHES_NOTHING,
                        "ratelimit.limiters.%s.paths: '%s' matches nothing: it begins with %s, and patterns are compared below that; write '%s'"
                                .formatted(place.limiter(), pattern, rootProperty, below.isEmpty() ? "/" : below));
            }
        }
    }

    /** Whether a controller may serve a place. */
    boolean isServed(LimitedPlace place) {
        return place.handler() != null
                || place.paths().stream().anyMatch(path -> patterns.stream().anyMatch(served -> mayMeet(path, served)));
    }

    /**
     * Whether any path could match both: true also where that is hard to say.
     *
     * @param rule as {@link io.github.ratelimit.http.PathPattern} reads it
     * @param served as Spring reads it
     */
    static boolean mayMeet(String rule, String served) {
        List<String> one = segments(rule);
        List<String> other = segments(served);
        for (int i = 0; ; i++) {
            if (isRest(one, i) || isRest(other, i)) {
                return true;
            }
            if (i == one.size() || i == other.size()) {
                return one.size() == other.size();
            }
            if (!mayMeetInOneSegment(one.get(i), other.get(i))) {
                return false;
            }
        }
    }

    private static boolean isRest(List<String> segments, int i) {
        return i < segments.size()
                && (segments.get(i).contains("**") || segments.get(i).startsWith("{*"));
    }

    private static boolean mayMeetInOneSegment(String rule, String served) {
        if (served.chars().anyMatch(c -> "{*?".indexOf(c) >= 0)) {
            return true;
        }
        int star = rule.indexOf('*');
        String literal = served.toLowerCase(Locale.ROOT); // as mappings may be told to ignore it
        return star < 0
                ? literal.equals(rule.toLowerCase(Locale.ROOT))
                : literal.startsWith(rule.substring(0, star).toLowerCase(Locale.ROOT));
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }
}

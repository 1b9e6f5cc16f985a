package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.Diagnostic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * The paths that an application serves, if they are known at startup, and warnings of path rules that match none of them.
 *
 * <p>A filter may answer, and a mapping of an unknown kind may lead anywhere. Where there is one, nothing is sure, and only a pattern that
 * begins with the path of the whole application is warned of: patterns are compared below it.
 */
final class ServedPaths {

    private final Set<String> patterns = new LinkedHashSet<>();
    private final List<Resource> files = new ArrayList<>();
    private final String rootProperty;
    private final String root;
    private boolean isComplete = true;

    /**
     * Makes one that knows of nothing yet.
     *
     * @param rootProperty the property of the path that the whole application stands below
     * @param root that path; empty: none
     */
    ServedPaths(String rootProperty, String root) {
        this.rootProperty = rootProperty;
        this.root = root;
    }

    /** Something is served at a pattern. */
    void add(String pattern) {
        patterns.add(pattern);
    }

    /** Files are served at every path at which one of these locations has one. */
    void addFiles(List<Resource> locations) {
        files.addAll(locations);
    }

    /** Where nobody can be asked what is served. */
    static ServedPaths unknown() {
        ServedPaths served = new ServedPaths("", "");
        served.mayServeMore();
        return served;
    }

    /** Something may be served elsewhere, too. */
    void mayServeMore() {
        isComplete = false;
    }

    /** Warns of what surely matches nothing. */
    void warnOf(List<LimitedPlace> places, Diagnostics diagnostics) {
        for (LimitedPlace place : places) {
            if (place.handler() == null && !isServed(place)) {
                String pattern = place.paths().get(0);
                if (isBelowRoot(pattern)) {
                    diagnostics.warn(
                            Diagnostic.PATH_MATCHES_NOTHING,
                            "ratelimit.limiters.%s.paths: '%s' matches nothing: it begins with %s, and patterns are compared below that; write '%s'"
                                    .formatted(place.limiter(), pattern, rootProperty, belowRoot(pattern)));
                } else if (isComplete) {
                    diagnostics.warn(
                            Diagnostic.PATH_MATCHES_NOTHING,
                            "ratelimit.limiters.%s.paths: '%s' matches nothing that is served: no controller, servlet or static file has such a path; check its spelling"
                                    .formatted(place.limiter(), pattern));
                }
            }
        }
    }

    private boolean isBelowRoot(String pattern) {
        return root.length() > 1 && (pattern.equals(root) || pattern.startsWith(root + "/"));
    }

    private String belowRoot(String pattern) {
        String rest = pattern.substring(root.length());
        return rest.isEmpty() ? "/" : rest;
    }

    /** Whether anything is known that could serve a place. */
    boolean isServed(LimitedPlace place) {
        return place.handler() != null
                || place.paths().stream()
                        .anyMatch(path -> patterns.stream().anyMatch(served -> mayMeet(path, served)) || isFile(path));
    }

    /** By the part of a pattern that has no star: a file, or a directory that may hold some. */
    private boolean isFile(String pattern) {
        int star = pattern.indexOf('*');
        String literal = star < 0 ? pattern : pattern.substring(0, pattern.lastIndexOf('/', star) + 1);
        String path = StringUtils.trimLeadingCharacter(literal, '/');
        if (path.isEmpty()) {
            return star >= 0 && !files.isEmpty();
        }
        for (Resource location : files) {
            try {
                if (location.createRelative(path).exists()) {
                    return true;
                }
            } catch (IOException e) {
                isComplete = false; // cannot be asked
            }
        }
        return false;
    }

    /**
     * Whether any path could match both: true also where that is hard to say.
     *
     * @param rule as {@link io.github.ratelimit.servlet.PathPattern} reads it
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

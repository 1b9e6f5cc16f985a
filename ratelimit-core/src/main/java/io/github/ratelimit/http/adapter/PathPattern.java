package io.github.ratelimit.http.adapter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of decoded paths: segments between slashes, {@code *} for any characters within one segment, and {@code **} as the last
 * segment for any that follow, also none.
 *
 * <p>{@code /api/messages*} matches {@code /api/messages} and {@code /api/messages-of-today}, {@code /v1/cms/**} matches
 * {@code /v1/cms} and all below it. Letter case counts, but not in a {@link PathRule}; one slash at
 * the end does not. Immutable and safe for concurrent use.
 */
public final class PathPattern {

    private static final String REST = "**";
    private static final Pattern VARIABLE = Pattern.compile("\\{[^/]*}");

    private final String text;
    private final String[] segments;
    private final boolean open;

    /** What every path that matches begins with, behind its first slash. */
    private final String literal;

    /** Whether no segment has a star. */
    private final boolean isLiteral;

    private PathPattern(String text, List<String> segments, boolean open) {
        this.text = text;
        this.segments = segments.toArray(String[]::new);
        this.open = open;
        String joined = String.join("/", segments);
        int star = joined.indexOf('*');
        this.isLiteral = star < 0;
        this.literal = isLiteral ? joined : joined.substring(0, star);
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it does not begin with a slash, has an empty or a dot segment, has {@code **} before its end, or
     *     holds what no decoded path is matched by: a variable, an escape, a query, a fragment, path parameters, a backslash, a control
     *     character
     */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw malformed(text, "it must begin with a slash");
        }
        requireKnownCharacters(text);
        List<String> segments = split(text);
        boolean open = !segments.isEmpty() && segments.get(segments.size() - 1).equals(REST);
        List<String> fixed = open ? segments.subList(0, segments.size() - 1) : segments;
        for (String segment : fixed) {
            if (segment.isEmpty() || segment.contains(REST)) {
                throw malformed(text, "no segment may be empty, and ** may only be the last");
            }
            if (segment.equals(".") || segment.equals("..")) {
                throw malformed(text, "a path has no segment '%s' once it is decoded; leave it out".formatted(segment));
            }
        }
        return new PathPattern(text, fixed, open);
    }

    private static void requireKnownCharacters(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '{', '}' ->
                    throw malformed(
                            text,
                            "it has no variables; use * for one segment, or ** as the last for all that follow: '%s'"
                                    .formatted(VARIABLE.matcher(text).replaceAll("*")));
                case '%' ->
                    throw malformed(text, "paths are matched decoded; write it decoded: '%s'".formatted(decoded(text)));
                case '?' ->
                    throw malformed(
                            text,
                            "a path has no query, and ? stands for no character; leave the query out, or use * for any characters");
                case '#' -> throw malformed(text, "a path has no fragment; leave out what begins with #");
                case ';' -> throw malformed(text, "paths are matched without parameters; leave out what begins with ;");
                case '\\' -> throw malformed(text, "a backslash is no separator; write /");
                default -> {
                    if (Character.isISOControl(c)) {
                        throw malformed(
                                text, "a path has no control characters, was U+%04X; leave it out".formatted((int) c));
                    }
                }
            }
        }
    }

    private static IllegalArgumentException malformed(String text, String why) {
        return new IllegalArgumentException(
                "path pattern '%s': %s".formatted(text.replaceAll("\\p{Cntrl}", "\uFFFD"), why));
    }

    /** For a message only: escapes that are none stay as they are. */
    private static String decoded(String text) {
        byte[] from = text.getBytes(StandardCharsets.UTF_8);
        byte[] to = new byte[from.length];
        int length = 0;
        for (int i = 0; i < from.length; i++) {
            int escaped = from[i] == '%' && i + 2 < from.length ? hex(from[i + 1]) << 4 | hex(from[i + 2]) : -1;
            boolean visible = escaped >= 0x20 && escaped != 0x7f;
            to[length++] = visible ? (byte) escaped : from[i];
            i += visible ? 2 : 0;
        }
        return new String(to, 0, length, StandardCharsets.UTF_8);
    }

    private static int hex(byte ascii) {
        return Character.digit(ascii, 16);
    }

    /** The segments, without the empty ones that a slash at the start and at the end would make. */
    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        int start = 1;
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        while (start < end) {
            int slash = path.indexOf('/', start);
            slash = slash < 0 || slash > end ? end : slash;
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        return segments;
    }

    /**
     * Whether a path fits.
     *
     * @param path decoded, without parameters, as the server dispatches on it
     */
    public boolean matches(String path) {
        return matches(path, false);
    }

    boolean matches(String path, boolean ignoreCase) {
        int start = path.startsWith("/") ? 1 : 0;
        if (!path.regionMatches(ignoreCase, start, literal, 0, literal.length())) {
            return false;
        }
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        if (!isLiteral) {
            return matchesSegments(path, start, end, ignoreCase);
        }
        if (literal.isEmpty()) {
            return open || start >= end;
        }
        int at = start + literal.length();
        return at >= end || (path.charAt(at) == '/' && (open || at + 1 >= end));
    }

    /**
     * Whether a path of a rule could match that begins with these segments, whatever follows.
     *
     * @param beginning decoded
     */
    boolean mayMatchBehind(List<String> beginning) {
        for (int i = 0; i < beginning.size(); i++) {
            String segment = beginning.get(i);
            if (i >= segments.length) {
                return open;
            }
            if (!fits(segments[i], segment, 0, segment.length(), true)) {
                return false;
            }
        }
        return true;
    }

    private boolean matchesSegments(String path, int start, int end, boolean ignoreCase) {
        int at = start;
        for (String segment : segments) {
            if (at >= end) {
                return false;
            }
            int slash = path.indexOf('/', at);
            int to = slash < 0 || slash > end ? end : slash;
            if (!fits(segment, path, at, to, ignoreCase)) {
                return false;
            }
            at = to + 1;
        }
        return open || at >= end;
    }

    /** Whether a piece of the path fits a segment. A star takes as little as it can, and one more each time the rest does not fit. */
    private static boolean fits(String pattern, String path, int from, int to, boolean ignoreCase) {
        int at = from;
        int next = 0;
        int star = -1;
        int taken = from;
        while (at < to) {
            if (next < pattern.length() && pattern.charAt(next) == '*') {
                star = next++;
                taken = at;
            } else if (next < pattern.length() && pattern.regionMatches(ignoreCase, next, path, at, 1)) {
                next++;
                at++;
            } else if (star >= 0) {
                next = star + 1;
                at = ++taken;
            } else {
                return false;
            }
        }
        while (next < pattern.length() && pattern.charAt(next) == '*') {
            next++;
        }
        return next == pattern.length();
    }

    /** The pattern as it was written. */
    @Override
    public String toString() {
        return text;
    }
}

package io.github.ratelimit.http;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of decoded paths: segments between slashes, {@code *} for any characters within one segment, and {@code **} as the last
 * segment for any that follow, also none.
 *
 * <p>{@code /api/messages*} matches {@code /api/messages} and {@code /api/messages-of-today}, {@code /v1/cms/**} matches
 * {@code /v1/cms} and all below it. Letter case counts; one slash at the end does not. Immutable and safe for concurrent use.
 */
public final class PathPattern {

    private static final String REST = "**";

    private final String text;
    private final List<String> segments;
    private final boolean open;

    private PathPattern(String text, List<String> segments, boolean open) {
        this.text = text;
        this.segments = segments;
        this.open = open;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it does not begin with a slash, has an empty segment, or has {@code **} before its end
     */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path pattern '%s' must begin with a slash".formatted(text));
        }
        List<String> segments = split(text);
        boolean open = !segments.isEmpty() && segments.get(segments.size() - 1).equals(REST);
        List<String> fixed = open ? segments.subList(0, segments.size() - 1) : segments;
        for (String segment : fixed) {
            if (segment.isEmpty() || segment.contains(REST)) {
                throw new IllegalArgumentException(
                        "path pattern '%s': no segment may be empty, and ** may only be the last".formatted(text));
            }
        }
        return new PathPattern(text, List.copyOf(fixed), open);
    }

    /**
     * Whether a path fits.
     *
     * @param path decoded, without parameters, as the server dispatches on it
     */
    public boolean matches(String path) {
        List<String> actual = split(path);
        if (open ? actual.size() < segments.size() : actual.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!fits(segments.get(i), actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The segments, without the empty ones that a slash at the start and at the end would make. */
    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        int start = path.startsWith("/") ? 1 : 0;
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        while (start < end) {
            int slash = path.indexOf('/', start);
            slash = slash < 0 || slash > end ? end : slash;
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        return segments;
    }

    /** The pieces between stars have to occur in order, the first at the start and the last at the end. */
    private static boolean fits(String pattern, String segment) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.equals(segment);
        }
        String[] pieces = pattern.split("\\*", -1);
        String last = pieces[pieces.length - 1];
        if (!segment.startsWith(pieces[0])
                || segment.length() < pieces[0].length() + last.length()
                || !segment.endsWith(last)) {
            return false;
        }
        int at = pieces[0].length();
        int end = segment.length() - last.length();
        for (int i = 1; i < pieces.length - 1; i++) {
            int found = segment.indexOf(pieces[i], at);
            if (found < 0 || found + pieces[i].length() > end) {
                return false;
            }
            at = found + pieces[i].length();
        }
        return true;
    }

    /** The pattern as it was written. */
    @Override
    public String toString() {
        return text;
    }
}

package io.github.ratelimit.http.adapter;

import io.github.ratelimit.http.RejectionBody;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Judges a request's path as it was sent.
 *
 * <p>Servers, frameworks and proxies disagree on what some spellings name. Where they do, one of them may serve what another took for
 * something else, and a limit is avoided: such a path is rejected, never repaired. Plain escapes such as {@code %61} and parameters
 * such as {@code ;x=1} are not ambiguous: whoever dispatches has decoded the one and dropped the other.
 *
 * <p>Rule: docs/design/rules.md, "Ambiguous paths"; RFC 3986 §3.3 and §6.2.
 */
public final class RawPath {

    /** The status for an ambiguous path: 400. */
    public static final RejectionBody.Content REJECTION = new RejectionBody.Content(
            400,
            "application/json",
            "{\"error\":{\"code\":\"bad_request\",\"message\":\"The path can be read in more than one way.\"}}");

    private RawPath() {}

    /**
     * Whether it can be read in more than one way: an empty or a dot segment; an escaped slash, backslash, percent sign, semicolon or
     * control character; a malformed escape; a character that may not stand in a path unescaped.
     *
     * @param path the path of the request line, undecoded, without the query
     */
    public static boolean isAmbiguous(String path) {
        if (!path.startsWith("/")) {
            return !path.equals("*"); // OPTIONS *
        }
        int length = 0; // of the segment, decoded and without parameters
        int dots = 0;
        boolean parameters = false;
        for (int i = 1; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '/') {
                if (length == 0 || isDots(length, dots)) {
                    return true;
                }
                length = 0;
                dots = 0;
                parameters = false;
                continue;
            }
            if (c == '%') {
                int decoded = escaped(path, i);
                if (decoded < 0x20 || decoded == 0x7f || "/\\%;".indexOf(decoded) >= 0) {
                    return true;
                }
                i += 2;
                c = (char) decoded;
            } else if (c == ';') {
                parameters = true;
                continue;
            } else if (c <= 0x20 || c >= 0x7f || c == '\\') {
                return true;
            }
            if (!parameters) {
                length++;
                dots += c == '.' ? 1 : 0;
            }
        }
        return isDots(length, dots) || (length == 0 && parameters);
    }

    /**
     * Whether a path can be read in more than one way, and a rule could match one of them.
     *
     * @param path the path of the request line, undecoded, without the query
     * @param root the path of the whole application, which rules are compared below; empty: none
     */
    public static boolean mayAvoid(String path, String root, Collection<PathRule> rules) {
        if (rules.isEmpty() || !isAmbiguous(path)) {
            return false;
        }
        List<String> beginning = path.startsWith(root) ? beginning(path) : List.of();
        int above = (int) root.chars().filter(c -> c == '/').count();
        List<String> below = beginning.subList(Math.min(above, beginning.size()), beginning.size());
        return rules.stream().anyMatch(rule -> rule.pattern().mayMatchBehind(below));
    }

    /** The first segments, decoded, of which there is one reading; none if dots could lead back out of them. */
    private static List<String> beginning(String path) {
        String dots = path.toLowerCase(Locale.ROOT).replace("%u00", "%");
        while (dots.contains("%25")) { // a reader may decode what another one has decoded
            dots = dots.replace("%25", "%");
        }
        if (!path.startsWith("/") || dots.replace("%2e", ".").contains("..")) {
            return List.of();
        }
        List<String> segments = new ArrayList<>();
        int start = 1;
        for (int slash = path.indexOf('/', start); slash > 0; slash = path.indexOf('/', start)) {
            String segment = path.substring(start, slash);
            if (isAmbiguous("/" + segment) || segment.isEmpty()) {
                return segments;
            }
            int parameters = segment.indexOf(';');
            segments.add(decoded(parameters < 0 ? segment : segment.substring(0, parameters)));
            start = slash + 1;
        }
        return segments;
    }

    private static String decoded(String segment) {
        return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static boolean isDots(int length, int dots) {
        return dots == length && (length == 1 || length == 2);
    }

    /** The escaped byte, or -1 if the escape is malformed. */
    private static int escaped(String path, int percent) {
        return percent + 2 < path.length()
                        && HexFormat.isHexDigit(path.charAt(percent + 1))
                        && HexFormat.isHexDigit(path.charAt(percent + 2))
                ? HexFormat.fromHexDigits(path, percent + 1, percent + 3)
                : -1;
    }
}

package io.github.ratelimit.http;

/**
 * Judges a request's path as it was sent.
 *
 * <p>Servers, frameworks and proxies disagree on what some spellings name. Where they do, one of them may serve what another took for
 * something else, and a limit is walked around: such a path is refused, never repaired. Plain escapes such as {@code %61} and parameters
 * such as {@code ;x=1} are not ambiguous: whoever dispatches has decoded the one and dropped the other.
 *
 * <p>Rule: docs/rules.md, "Ambiguous paths"; RFC 3986 §3.3 and §6.2.
 */
public final class RawPath {

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
        int segmentStart = 1;
        StringBuilder segment = new StringBuilder();
        boolean parameters = false;
        for (int i = 1; i <= path.length(); i++) {
            char c = i < path.length() ? path.charAt(i) : '/';
            if (c == '/') {
                boolean last = i == path.length();
                if (isDots(segment) || (segment.isEmpty() && !(last && segmentStart == i))) {
                    return true;
                }
                segment.setLength(0);
                parameters = false;
                segmentStart = i + 1;
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
                segment.append(c);
            }
        }
        return false;
    }

    private static boolean isDots(StringBuilder segment) {
        return segment.compareTo(new StringBuilder(".")) == 0 || segment.compareTo(new StringBuilder("..")) == 0;
    }

    /** The escaped byte, or -1 if the escape is malformed. */
    private static int escaped(String path, int percent) {
        if (percent + 2 >= path.length()) {
            return -1;
        }
        int high = Character.digit(path.charAt(percent + 1), 16);
        int low = Character.digit(path.charAt(percent + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}

package io.github.ratelimit.http;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hops of forwarding header fields, from the right: the hop of the nearest proxy comes first.
 *
 * <p>Reads no further than the caller asks, because anybody can have written the fields left of the client's address. Used by one thread.
 */
final class ForwardedHops {

    /** Chosen: far more than any chain of trusted proxies, and quickly parsed. */
    private static final int MOST_HOPS = 32;

    /** Chosen: longer than any address with a port, a zone and quotes. */
    private static final int LONGEST_ELEMENT = 512;

    /**
     * {@code [2001:db8::1]} or {@code 192.0.2.1}, with or without a port, which may be obfuscated as in {@code :_p1}. Rule: RFC 7239 §6.
     */
    private static final Pattern NODE =
            Pattern.compile("(?:\\[([^\\]]*)]|([^:\\[]*))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?");

    private final List<String> lines;
    private final boolean standard;
    private int line;
    private int end;
    private int read;

    /**
     * Reads lines of one of the two fields.
     *
     * @param standard of {@code Forwarded}, the {@code for} parameters, else of {@code X-Forwarded-For}, addresses between commas. Rule: RFC
     *     7239 §4 and §6.
     */
    ForwardedHops(List<String> lines, boolean standard) {
        this.lines = lines;
        this.standard = standard;
        this.line = lines.size() - 1;
        this.end = line < 0 ? -1 : lines.get(line).length();
    }

    /** Whether there is another hop. Empty elements do not count. Rule: RFC 9110 §5.6.1.2. */
    boolean hasNext() {
        while (line >= 0) {
            while (end > 0
                    && (isBlank(lines.get(line).charAt(end - 1))
                            || lines.get(line).charAt(end - 1) == ',')) {
                end--;
            }
            if (end > 0) {
                return true;
            }
            line--;
            end = line < 0 ? -1 : lines.get(line).length();
        }
        return false;
    }

    /** The next hop; null if it is no address, or if there are too many hops. */
    @Nullable
    IpAddress next() {
        String text = lines.get(line);
        int comma = end - 1;
        boolean quoted = false;
        while (comma >= 0 && (quoted || text.charAt(comma) != ',') && end - comma <= LONGEST_ELEMENT) {
            quoted ^= standard && isQuote(text, comma);
            comma--;
        }
        boolean tooLong = comma >= 0 && text.charAt(comma) != ',';
        String element = text.substring(comma + 1, end).trim();
        end = Math.max(comma, 0);
        if (tooLong || ++read > MOST_HOPS) {
            return null;
        }
        return IpAddress.parse(withoutPort(standard ? node(element) : element));
    }

    /** Whether a quoted string begins or ends there: a quote behind a backslash is part of it. Rule: RFC 9110 §5.6.4. */
    private static boolean isQuote(String text, int at) {
        int from = at;
        while (from > 0 && at - from < LONGEST_ELEMENT && text.charAt(from - 1) == '\\') {
            from--;
        }
        return text.charAt(at) == '"' && (at - from) % 2 == 0;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** The value of {@code for}, without quotes; empty if there is none or several. */
    private static String node(String element) {
        String node = "";
        int found = 0;
        int start = 0;
        boolean quoted = false;
        for (int i = 0; i <= element.length(); i++) {
            char c = i < element.length() ? element.charAt(i) : ';';
            if (c == '"' && isQuote(element, i)) {
                quoted = !quoted;
            } else if (c == ';' && (!quoted || i == element.length())) {
                String pair = element.substring(start, i).trim();
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).trim().equalsIgnoreCase("for")) {
                    node = unquoted(pair.substring(equals + 1).trim());
                    found++;
                }
                start = i + 1;
            }
        }
        return found == 1 ? node : "";
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** The address of a node, without brackets and port; empty if it is malformed. */
    private static String withoutPort(String node) {
        Matcher parts = NODE.matcher(node);
        if (parts.matches()) {
            return parts.group(1) != null ? parts.group(1) : parts.group(2);
        }
        boolean bareIpv6 = node.indexOf(':') != node.lastIndexOf(':') && !node.startsWith("[");
        return bareIpv6 ? node : "";
    }
}

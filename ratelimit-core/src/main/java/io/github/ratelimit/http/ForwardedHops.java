package io.github.ratelimit.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hops that forwarding header fields name, from the right: the one that the nearest proxy wrote comes first.
 *
 * <p>Only what is asked for is read, as what stands left of the client's own address anybody can have written. Used by one thread.
 */
final class ForwardedHops {

    /** Chosen: far more than any chain of trusted proxies, far less than what is worth parsing for a forger. */
    private static final int MOST_HOPS = 32;

    /** Chosen: longer than any address with a port, a zone and quotes; what is longer is no address. */
    private static final int LONGEST_ELEMENT = 512;

    private final List<String> lines;
    private final boolean standard;
    private int line;
    private int end;
    private int read;

    private ForwardedHops(List<String> lines, boolean standard) {
        this.lines = lines;
        this.standard = standard;
        this.line = lines.size() - 1;
        this.end = line < 0 ? -1 : lines.get(line).length();
    }

    /** Of {@code X-Forwarded-For}: addresses between commas. */
    static ForwardedHops ofXForwardedFor(List<String> lines) {
        return new ForwardedHops(lines, false);
    }

    /** Of {@code Forwarded}: the {@code for} parameters. Rule: RFC 7239 §4 and §6. */
    static ForwardedHops ofForwarded(List<String> lines) {
        return new ForwardedHops(lines, true);
    }

    /** Whether there is another one. Empty elements are none. Rule: RFC 9110 §5.6.1.2. */
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

    /** The next one; null if it is no address, or if there are too many to be true. */
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
                if (equals > 0
                        && pair.substring(0, equals)
                                .trim()
                                .toLowerCase(Locale.ROOT)
                                .equals("for")) {
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

    /** {@code 192.0.2.1:80}, {@code [2001:db8::1]} and {@code [2001:db8::1]:80} without the port and the brackets. */
    private static String withoutPort(String node) {
        if (node.startsWith("[")) {
            int close = node.indexOf(']');
            boolean clean = close > 0 && (close == node.length() - 1 || isPort(node, close + 1));
            return clean ? node.substring(1, close) : "";
        }
        int colon = node.indexOf(':');
        boolean one = colon >= 0 && node.indexOf(':', colon + 1) < 0;
        if (!one) {
            return node;
        }
        return isPort(node, colon) ? node.substring(0, colon) : "";
    }

    private static boolean isPort(String node, int colon) {
        String digits = node.substring(colon + 1);
        return node.charAt(colon) == ':'
                && !digits.isEmpty()
                && digits.length() <= 5
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}

package io.github.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes the list of hops, leftmost first, out of forwarding header fields. A hop that is no address is null. */
final class ForwardedHops {

    /** Chosen: far more than any chain of proxies, far less than what is worth parsing for a forger. */
    private static final int MOST_HOPS = 32;

    private static final int MOST_CHARACTERS = 4096;

    private ForwardedHops() {}

    /**
     * Of {@code X-Forwarded-For}: addresses between commas.
     *
     * @return null if there are too many to be true
     */
    static @Nullable List<@Nullable IpAddress> ofXForwardedFor(List<String> lines) {
        List<String> elements = split(lines, ',');
        return elements == null ? null : addresses(elements);
    }

    /** Of {@code Forwarded}: the {@code for} parameters. Rule: RFC 7239 §4 and §6. */
    static @Nullable List<@Nullable IpAddress> ofForwarded(List<String> lines) {
        List<String> elements = split(lines, ',');
        if (elements == null) {
            return null;
        }
        List<String> nodes = new ArrayList<>(elements.size());
        for (String element : elements) {
            nodes.add(node(element));
        }
        return addresses(nodes);
    }

    private static List<@Nullable IpAddress> addresses(List<String> nodes) {
        List<@Nullable IpAddress> addresses = new ArrayList<>(nodes.size());
        for (String node : nodes) {
            addresses.add(IpAddress.parse(withoutPort(node)));
        }
        return addresses;
    }

    /** The value of {@code for}, without quotes; empty if there is none or several. */
    private static String node(String element) {
        String node = "";
        int found = 0;
        for (String pair : splitOutsideQuotes(element, ';')) {
            int equals = pair.indexOf('=');
            if (equals > 0
                    && pair.substring(0, equals).trim().toLowerCase(Locale.ROOT).equals("for")) {
                node = unquoted(pair.substring(equals + 1).trim());
                found++;
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

    /** The trimmed elements of all lines as one list; null if there are too many. */
    private static @Nullable List<String> split(List<String> lines, char separator) {
        String all = String.join(",", lines);
        if (all.length() > MOST_CHARACTERS) {
            return null;
        }
        List<String> elements = splitOutsideQuotes(all, separator);
        return elements.size() > MOST_HOPS ? null : elements;
    }

    private static List<String> splitOutsideQuotes(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i).trim());
                start = i + 1;
            }
        }
        parts.add(text.substring(start).trim());
        return parts;
    }
}

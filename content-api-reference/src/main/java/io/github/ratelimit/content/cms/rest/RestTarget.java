package io.github.ratelimit.content.cms.rest;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the address of a request within a batch leads to. The address may be a route or a whole address of any site: only its
 * path and its query count.
 *
 * @param route the path as it is written, nothing decoded; empty where there is none, and then it leads nowhere
 * @param query what is behind the question mark
 */
public record RestTarget(String route, String query) {
    /** Scheme, host, port, path. A path may stand alone, or behind a scheme without a host. */
    private static final Pattern ADDRESS =
            Pattern.compile("(?:[A-Za-z][A-Za-z0-9+.-]*+:)?//(?<host>[^/:]*+)(?::(?<port>[^/]*+))?(?<path>/.*+)?");

    /**
     * Takes an address apart.
     *
     * @param address as a client wrote it
     * @return empty if it is none: no host where there should be one, or a port that is no number
     */
    public static Optional<RestTarget> of(String address) {
        int fragment = address.indexOf('#');
        String whole = fragment < 0 ? address : address.substring(0, fragment);
        int mark = whole.indexOf('?');
        String place = mark < 0 ? whole : whole.substring(0, mark);
        String query = mark < 0 ? "" : whole.substring(mark + 1);
        Matcher parts = ADDRESS.matcher(place);
        if (!parts.matches()) {
            return Optional.of(new RestTarget(place, query));
        }
        String port = parts.group("port");
        boolean isPort =
                port == null || port.isEmpty() || (port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65_535);
        if (parts.group("host").isEmpty() || !isPort) {
            return Optional.empty();
        }
        String path = parts.group("path");
        return Optional.of(new RestTarget(path == null ? "" : path, query));
    }

    /**
     * Reads the arguments of the query.
     *
     * @return a tree of its own
     * @throws RestError if it cannot be read
     */
    public ObjectNode arguments() {
        return FormParser.parse(query);
    }
}

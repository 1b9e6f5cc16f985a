package io.github.ratelimit.content.server.fetch;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address that may be fetched, as far as its spelling tells.
 *
 * <p>An immutable value. There is one spelling per host: a name in ASCII letters, or an IP address in its usual form.
 * Everything that two parsers could read differently is rejected rather than repaired: user information, backslashes,
 * control characters, zone ids, numbers standing for an address.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case, without a closing dot; an IPv6 address stands without brackets
 * @param port 1 to 65535
 * @param pathAndQuery begins with a slash; ASCII
 */
record HttpTarget(String scheme, String host, int port, String pathAndQuery) {

    /** Chosen: longer addresses are no pages that somebody shares. */
    private static final int LONGEST = 2048;

    // Possessive: an address is a stranger's text.
    private static final Pattern PARTS = Pattern.compile("(?i)(https?)://([^/?#]++)([^?#]*+)(\\?[^#]*+)?+(?:#.*+)?+");
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9a-fA-F:.]++]|[^:\\[\\]@]++)(?::([0-9]{1,5}))?+");
    private static final Pattern NAME = Pattern.compile(
            "(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)*+" + "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?");
    private static final Pattern DOTTED_QUAD =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]++|0[xX][0-9a-fA-F]*+");

    /**
     * Reads an address.
     *
     * @param address absolute
     * @param ports the ports that may be fetched from
     * @return empty if it is not one that may be fetched, for whatever reason
     */
    static Optional<HttpTarget> parse(String address, Set<Integer> ports) {
        if (address.length() > LONGEST || address.chars().anyMatch(HttpTarget::isAmbiguous)) {
            return Optional.empty();
        }
        Matcher parts = PARTS.matcher(address);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        Matcher authority = AUTHORITY.matcher(parts.group(2));
        if (!authority.matches()) {
            return Optional.empty();
        }
        String portText = authority.group(2);
        int port = portText != null ? Integer.parseInt(portText) : scheme.equals("https") ? 443 : 80;
        if (!ports.contains(port)) {
            return Optional.empty();
        }
        String path = parts.group(3).isEmpty() ? "/" : parts.group(3);
        String query = parts.group(4) == null ? "" : parts.group(4);
        return host(authority.group(1))
                .flatMap(host -> ascii(path + query).map(rest -> new HttpTarget(scheme, host, port, rest)));
    }

    /**
     * Resolves what a {@code Location} field says against this address.
     *
     * @param location absolute or relative
     * @return empty if it leads to nothing that may be fetched
     */
    Optional<HttpTarget> redirect(String location, Set<Integer> ports) {
        try {
            return parse(new URI(toString()).resolve(new URI(location)).toString(), ports);
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the IP address that the host spells, without ever asking a resolver. */
    Optional<InetAddress> literal() {
        if (host.indexOf(':') < 0 && !DOTTED_QUAD.matcher(host).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** The address as it is sent; the port stands only where it is not the scheme's own. */
    @Override
    public String toString() {
        String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
        boolean usual = port == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + shown + (usual ? "" : ":" + port) + pathAndQuery;
    }

    private static boolean isAmbiguous(int c) {
        return c <= ' ' || c == 0x7f || c == '\\' || Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static Optional<String> host(String spelled) {
        if (spelled.startsWith("[")) {
            return ipv6(spelled.substring(1, spelled.length() - 1));
        }
        // Percent signs are not decoded: `%31` in a host is no digit to us, and no name either.
        String ascii;
        try {
            ascii = IDN.toASCII(spelled, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String host = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
        if (host.length() > 253 || !NAME.matcher(host).matches()) {
            return Optional.empty();
        }
        // A host that ends in a number is an IPv4 address to every browser
        // and C library; we take the one usual spelling.
        boolean number =
                NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
        return number && !DOTTED_QUAD.matcher(host).matches() ? Optional.empty() : Optional.of(host);
    }

    private static Optional<String> ipv6(String spelled) {
        if (spelled.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            // A mapped address comes back as IPv4: there is a plainer spelling for it.
            InetAddress address = InetAddress.getByName(spelled);
            return address instanceof Inet6Address ? Optional.of(address.getHostAddress()) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> ascii(String pathAndQuery) {
        try {
            String ascii = new URI(pathAndQuery.startsWith("//") ? "/." + pathAndQuery : pathAndQuery).toASCIIString();
            return Optional.of(ascii);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}

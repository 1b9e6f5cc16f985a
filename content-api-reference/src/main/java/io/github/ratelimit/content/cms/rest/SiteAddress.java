package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;

/**
 * The address that answers carry.
 *
 * @param configured the address to use always; empty to go by the request
 */
public record SiteAddress(String configured) {
    /** The most letters of a name in the DNS. Rule: RFC 1035 §2.3.4. */
    public static final int LONGEST_HOST = 253;

    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{Nd}._:\\[\\]-]{1," + LONGEST_HOST + "}");

    /** Takes a slash at the end away. */
    public SiteAddress {
        configured = configured.endsWith("/") ? configured.substring(0, configured.length() - 1) : configured;
    }

    /**
     * Tells the site's address as the sender of a request knows it.
     *
     * @param http the request
     * @return scheme, host and, where it is not the usual one, port; no slash at the end
     */
    public String of(HttpServletRequest http) {
        if (!configured.isEmpty()) {
            return configured;
        }
        String scheme = http.getScheme();
        int port = http.getServerPort();
        boolean usual = port == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + host(http.getServerName()) + (usual ? "" : ":" + port);
    }

    /** The host is the sender's to choose; what is no host name must not come back in an answer. */
    private static String host(String name) {
        return HOST.matcher(name).matches() ? name : "localhost";
    }
}

package io.github.ratelimit.content.cms.text;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.parser.Parser;

/** Addresses without schemes that could run code, or that nobody knows. */
final class SafeAddresses {
    private static final Set<String> SCHEMES = Set.of(
            "http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "telnet", "mms",
            "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal", "urn");

    /** What follows on it is an address of its own. */
    private static final String NESTING = "feed";

    /** A colon, however it is spelled. */
    private static final Pattern COLON = Pattern.compile(":|&#0*+58;?|&#x0*+3a;?|&colon;?", Pattern.CASE_INSENSITIVE);

    private static final Pattern IGNORED = Pattern.compile("[\\s\\p{Cntrl}]+");

    /** What is left of an address may have a scheme again. Chosen: nobody means an address with so many. */
    private static final int MOST_SCHEMES = 6;

    private SafeAddresses() {}

    /**
     * Leaves schemes out that are not known.
     *
     * @param address as the value of an attribute, may hold character references
     * @return what is left, in the same spelling; may be empty
     */
    static String of(String address) {
        String left = address;
        String before = "";
        for (int i = 0; i < MOST_SCHEMES; i++) {
            Matcher colon = COLON.matcher(left);
            if (!colon.find()) {
                return before + left;
            }
            String scheme = plain(left.substring(0, colon.start()));
            String rest = left.substring(colon.end()).strip();
            if (SCHEMES.contains(scheme)) {
                return before + scheme + ":" + rest;
            }
            // A colon in a query belongs to no scheme.
            if (scheme.contains("/?")) {
                return before + left;
            }
            if (scheme.equals(NESTING)) {
                before = NESTING + ":";
            }
            left = rest;
        }
        return "";
    }

    /** Reads a scheme as browsers do: references are characters, space and control characters are nothing. */
    private static String plain(String scheme) {
        String read = Parser.unescapeEntities(scheme.replace("&amp;", "&"), true);
        return IGNORED.matcher(Parser.unescapeEntities(read, true))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
    }
}

package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.server.html.Pages;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what a foreign server says about one of its pages, and writes it anew.
 *
 * <p>Pure. Texts lose their markup, addresses must be web addresses, numbers must be sizes; the frame of a video is built
 * here from the one address in it, with a sandbox that keeps it off the page around it.
 */
final class Description {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> TYPES = Set.of("photo", "video", "link", "rich");

    /** Chosen: longer is no title. */
    private static final int LONGEST_TEXT = 500;

    private static final int LONGEST_ADDRESS = 2048;
    private static final int LONGEST_HTML = 100_000;
    private static final int LARGEST_SIDE = 10_000;

    /** For services in our table: their players need their own storage. The frame's own origin is not this site's. */
    private static final String KNOWN_SANDBOX = "allow-scripts allow-same-origin allow-popups allow-presentation";

    private static final String FOREIGN_SANDBOX = "allow-scripts allow-popups";

    private Description() {}

    /**
     * Writes a description anew.
     *
     * @param said what the foreign server says
     * @param page the page that it is about
     * @param isKnown whether the server is in our table
     * @param ownHost this site's host, which no frame may show
     * @return empty if it says nothing that can be shown
     */
    static Optional<ObjectNode> rebuild(JsonNode said, String page, boolean isKnown, String ownHost) {
        String type = said.path("type").asString("");
        if (!said.isObject() || !TYPES.contains(type)) {
            return Optional.empty();
        }
        ObjectNode built = JSON.objectNode().put("version", "1.0");
        putText(built, said, "provider_name");
        putAddress(built, said, "provider_url");
        putText(built, said, "author_name");
        putAddress(built, said, "author_url");
        putText(built, said, "title");
        built.put("type", type);
        putSize(built, said, "width");
        putSize(built, said, "height");
        putAddress(built, said, "thumbnail_url");
        putSize(built, said, "thumbnail_width");
        putSize(built, said, "thumbnail_height");
        String title = built.path("title").asString(page);
        if (type.equals("photo")) {
            Optional<String> picture = address(said.path("url").asString(""));
            if (picture.isEmpty()) {
                return Optional.empty();
            }
            built.put("url", picture.get());
            return Optional.of(built.put("html", picture(page, picture.get(), title, built)));
        }
        if (type.equals("link")) {
            return Optional.of(built.put("html", link(page, title)));
        }
        String html = said.path("html").asString("");
        Optional<String> frame = html.length() > LONGEST_HTML ? Optional.empty() : frameAddress(html, ownHost);
        built.put(
                "html",
                frame.map(address -> frame(address, title, isKnown, built)).orElseGet(() -> link(page, title)));
        return Optional.of(built);
    }

    /** Returns a web address in its plain spelling, without user information; empty for anything else. */
    static Optional<String> address(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.length() > LONGEST_ADDRESS) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(trimmed.startsWith("//") ? "https:" + trimmed : trimmed);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            boolean isWeb = scheme.equals("https") || scheme.equals("http");
            return isWeb && uri.getHost() != null && uri.getUserInfo() == null
                    ? Optional.of(uri.toASCIIString())
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> frameAddress(String html, String ownHost) {
        for (Element frame : Jsoup.parseBodyFragment(html).select("iframe[src]")) {
            Optional<String> found = address(frame.attr("src"))
                    .filter(address -> address.startsWith("https://"))
                    .filter(address ->
                            !ownHost.equalsIgnoreCase(URI.create(address).getHost()));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static String frame(String address, String title, boolean isKnown, ObjectNode built) {
        Element frame = Pages.body()
                .appendElement("iframe")
                .attr("src", address)
                .attr("title", title)
                .attr("sandbox", isKnown ? KNOWN_SANDBOX : FOREIGN_SANDBOX)
                .attr("referrerpolicy", "no-referrer")
                .attr("loading", "lazy");
        putSizes(frame, built);
        return frame.outerHtml();
    }

    private static String picture(String page, String picture, String title, ObjectNode built) {
        Element image = Pages.body().appendElement("img").attr("src", picture).attr("alt", title);
        putSizes(image, built);
        return Pages.body()
                .appendElement("a")
                .attr("href", page)
                .appendChild(image)
                .outerHtml();
    }

    private static String link(String page, String title) {
        return Pages.body().appendElement("a").attr("href", page).text(title).outerHtml();
    }

    private static void putSizes(Element element, ObjectNode built) {
        for (String side : new String[] {"width", "height"}) {
            if (built.path(side).isInt()) {
                element.attr(side, built.path(side).asString());
            }
        }
    }

    private static void putText(ObjectNode built, JsonNode said, String name) {
        String text = said.path(name).asString("");
        if (text.isEmpty() || text.length() > LONGEST_HTML) {
            return;
        }
        // Some servers escape their titles and some do not; both come out as plain text.
        String plain = Jsoup.parse(Parser.unescapeEntities(text, false)).text().strip();
        if (!plain.isEmpty()) {
            int end = plain.offsetByCodePoints(0, Math.min(LONGEST_TEXT, plain.codePointCount(0, plain.length())));
            built.put(name, plain.substring(0, end));
        }
    }

    private static void putAddress(ObjectNode built, JsonNode said, String name) {
        address(said.path(name).asString("")).ifPresent(address -> built.put(name, address));
    }

    private static void putSize(ObjectNode built, JsonNode said, String name) {
        JsonNode value = said.path(name);
        String digits = value.isIntegralNumber() || value.isString() ? value.asString("") : "";
        if (digits.matches("[0-9]{1,5}")) {
            int size = Integer.parseInt(digits);
            if (size > 0 && size <= LARGEST_SIDE) {
                built.put(name, size);
            }
        }
    }
}

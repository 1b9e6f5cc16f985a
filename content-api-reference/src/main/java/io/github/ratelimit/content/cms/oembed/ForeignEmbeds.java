package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.server.fetch.Fetched;
import io.github.ratelimit.content.server.fetch.OutgoingClient;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Descriptions of foreign pages. The service of a page describes it, or the page names an address that does.
 */
@Component
final class ForeignEmbeds {

    /** Characters. Chosen: the links of a page are near its beginning, and a larger tree takes much memory. */
    private static final int LONGEST_HEAD = 128 * 1024;

    private static final Set<String> JSON_TYPES = Set.of(
            "application/json", "application/json+oembed", "text/json", "text/javascript", "application/javascript");
    private static final Set<String> PAGE_TYPES = Set.of("text/html", "application/xhtml+xml");

    private final OutgoingClient client;
    private final Providers providers = Providers.load();

    ForeignEmbeds(OutgoingClient client) {
        this.client = client;
    }

    /**
     * What is asked about a page.
     *
     * @param page its address
     * @param maxWidth the most pixels, 0 for any
     * @param maxHeight the most pixels, 0 for any
     * @param discover whether to ask a page that no known service has
     * @param ownHost this site's host
     */
    record Question(String page, long maxWidth, long maxHeight, boolean discover, String ownHost) {}

    /** Asks for a description; empty if no server answers one that can be shown. */
    Optional<ObjectNode> ask(Question question) {
        return Description.address(question.page()).flatMap(page -> {
            Optional<Providers.Provider> provider = providers.of(page);
            if (provider.isPresent()) {
                String address = provider.get().endpoint() + "?format=json&url=" + encode(page);
                return describe(address, true, page, question);
            }
            return question.discover() ? discover(page, question) : Optional.empty();
        });
    }

    private Optional<ObjectNode> describe(String address, boolean isKnown, String page, Question question) {
        return client.get(withSizes(address, question), JSON_TYPES)
                .flatMap(document -> json(document.text()))
                .flatMap(said -> Description.rebuild(said, page, isKnown, question.ownHost()));
    }

    private Optional<ObjectNode> discover(String page, Question question) {
        Optional<Fetched> document = client.get(page, PAGE_TYPES);
        if (document.isEmpty()) {
            return Optional.empty();
        }
        String text = document.get().text();
        Document head = Jsoup.parse(text.substring(0, Math.min(text.length(), LONGEST_HEAD)));
        // The document's own address resolves what it names; a base element in it does not.
        for (Element link : head.select("link[rel~=(?i)alternate][href][type]")) {
            if (link.attr("type").strip().equalsIgnoreCase("application/json+oembed")) {
                return resolve(document.get().address(), link.attr("href"))
                        .flatMap(address -> describe(address, false, page, question));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> resolve(String base, String href) {
        try {
            return Description.address(URI.create(base).resolve(href.strip()).toString());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String withSizes(String address, Question question) {
        var sized = new StringBuilder(address);
        char separator = address.indexOf('?') < 0 ? '?' : '&';
        if (question.maxWidth() > 0) {
            sized.append(separator).append("maxwidth=").append(question.maxWidth());
            separator = '&';
        }
        if (question.maxHeight() > 0) {
            sized.append(separator).append("maxheight=").append(question.maxHeight());
        }
        return sized.toString();
    }

    private static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(RestJson.read(text.getBytes(StandardCharsets.UTF_8)));
        } catch (RestError e) {
            return Optional.empty();
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

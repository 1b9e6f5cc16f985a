package io.github.ratelimit.content.cms.oembed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.server.fetch.Fetched;
import io.github.ratelimit.content.server.fetch.OutgoingClient;
import io.github.ratelimit.content.server.html.LinkTags;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jsoup.nodes.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Descriptions of foreign pages: asked of the service that a page belongs to, or of whom the page itself names.
 *
 * <p>Answers are kept for a while, failures for a short while. Safe for concurrent use.
 */
final class ForeignEmbeds {

    /** Chosen: titles and players change rarely. */
    private static final Duration KEPT = Duration.ofHours(6);

    private static final long MOST_KEPT = 1000;

    private static final Set<String> JSON_TYPES = Set.of(
            "application/json", "application/json+oembed", "text/json", "text/javascript", "application/javascript");
    private static final Set<String> XML_TYPES = Set.of("text/xml", "application/xml", "text/xml+oembed");
    private static final Set<String> PAGE_TYPES = Set.of("text/html", "application/xhtml+xml");

    private final OutgoingClient client;
    private final Providers providers;
    private final Cache<Question, ObjectNode> known;

    ForeignEmbeds(Ticker ticker, OutgoingClient client, Providers providers) {
        this.client = client;
        this.providers = providers;
        this.known = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumSize(MOST_KEPT)
                .expireAfterWrite(KEPT)
                .build();
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

    /** Finds an answer that is kept; takes a copy, as answers are changed by whoever shapes them. */
    Optional<ObjectNode> find(Question question) {
        return Optional.ofNullable(known.getIfPresent(question)).map(ObjectNode::deepCopy);
    }

    /** Asks; empty if nobody answers anything that can be shown. */
    Optional<ObjectNode> ask(Question question) {
        Optional<ObjectNode> answer = Description.address(question.page()).flatMap(page -> {
            Optional<Providers.Provider> provider = providers.of(page);
            if (provider.isPresent()) {
                return askProvider(provider.get().endpoint(), page, question);
            }
            return question.discover() ? discover(page, question) : Optional.empty();
        });
        answer.ifPresent(found -> known.put(question, found.deepCopy()));
        return answer;
    }

    private Optional<ObjectNode> askProvider(String endpoint, String page, Question question) {
        String address = withSizes(endpoint + "?format=json&url=" + encode(page), question);
        return client.get(address, JSON_TYPES)
                .flatMap(document -> json(document.text()))
                .flatMap(said -> Description.rebuild(said, page, true, question.ownHost()));
    }

    private Optional<ObjectNode> discover(String page, Question question) {
        Optional<Fetched> document = client.get(page, PAGE_TYPES);
        if (document.isEmpty()) {
            return Optional.empty();
        }
        // The document's own address resolves what it names; a base element in it does not.
        for (Element link : LinkTags.of(document.get().text())) {
            if (!link.is("[rel~=(?i)alternate][href][type]")) {
                continue;
            }
            String type = link.attr("type").strip();
            boolean isJson = type.equalsIgnoreCase("application/json+oembed");
            if (isJson || type.equalsIgnoreCase("text/xml+oembed")) {
                return resolve(document.get().address(), link.attr("href"))
                        .flatMap(address -> askNamed(withSizes(address, question), isJson, page, question));
            }
        }
        return Optional.empty();
    }

    private Optional<ObjectNode> askNamed(String address, boolean isJson, String page, Question question) {
        return client.get(address, isJson ? JSON_TYPES : XML_TYPES)
                .flatMap(document -> isJson ? json(document.text()) : XmlDescription.read(document.text()))
                .flatMap(said -> Description.rebuild(said, page, false, question.ownHost()));
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

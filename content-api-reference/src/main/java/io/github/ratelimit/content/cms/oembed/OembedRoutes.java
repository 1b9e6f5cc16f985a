package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.limits.AccountLimit;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.spring.RateLimitException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes of {@code oembed/1.0}: what others may know about our items, and what our authors may know about theirs. */
@Component
@Order(10)
class OembedRoutes implements Route.Source {

    private static final String NAMESPACE = "oembed/1.0";
    private static final Schema URL = Schema.string("The address of a page.").format("uri");

    private static final Pattern NUMBER =
            Pattern.compile("\\s*+([+-]?(?:[0-9]++(?:\\.[0-9]*+)?+|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,2}(?![0-9]))?)");

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final JsonNodeFactory NUMBERS = JsonNodeFactory.instance;

    private static final Argument.Reader SIZE = (request, value) -> NUMBERS.numberNode(Math.abs(number(value)));

    private static final Route.Permission PROXY = request -> request.require(
            Capability.USE_PROXY, "rest_forbidden", "Sorry, you are not allowed to make proxied oEmbed requests.");

    private final ItemFinder items;
    private final OwnEmbeds own;
    private final ForeignEmbeds foreign;
    private final AccountLimit calls;

    OembedRoutes(ItemFinder items, OwnEmbeds own, ForeignEmbeds foreign, AccountLimit calls) {
        this.items = items;
        this.own = own;
        this.foreign = foreign;
        this.calls = calls;
    }

    @Override
    public List<Route> routes() {
        Route embed = Route.at(NAMESPACE, "/embed")
                .writtenBy(XmlDescription::written)
                .on(RestMethod.GET)
                .accepts(Arguments.of(
                        Argument.required("url", URL),
                        Argument.optional("format", Schema.any().defaultsTo("json")),
                        Argument.optional("maxwidth", Schema.any().defaultsTo(600))
                                .readBy(SIZE)))
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(this::embed)
                .build();
        Route proxy = Route.at(NAMESPACE, "/proxy")
                .on(RestMethod.GET)
                .accepts(Arguments.of(
                        Argument.required("url", URL),
                        Argument.optional(
                                "format",
                                Schema.string("The form in which foreign sites are asked.")
                                        .defaultsTo("json")
                                        .among("json", "xml")),
                        Argument.optional(
                                        "maxwidth",
                                        Schema.integer("The most pixels of width.")
                                                .defaultsTo(600))
                                .readBy(SIZE),
                        Argument.optional("maxheight", Schema.integer("The most pixels of height."))
                                .readBy((request, value) -> NUMBERS.numberNode(Math.max(0, number(value)))),
                        Argument.optional(
                                "discover",
                                Schema.bool("Whether to ask pages of services that are not known.")
                                        .defaultsTo(true))))
                .allowedTo(PROXY)
                .servedBy(this::proxy)
                .build();
        return List.of(embed, proxy);
    }

    private RestAnswer embed(RestRequest request) {
        Item item = items.findPublic(request.baseUrl(), url(request)).orElseThrow(OembedRoutes::invalidUrl);
        return own(request, item);
    }

    private RestAnswer proxy(RestRequest request) {
        String url = url(request);
        Optional<Item> item = items.findPublic(request.baseUrl(), url);
        if (item.isPresent()) {
            return own(request, item.get());
        }
        if (OwnEmbeds.isOwn(request.baseUrl(), url)) {
            throw invalidUrl();
        }
        String ownHost =
                Optional.ofNullable(URI.create(request.baseUrl()).getHost()).orElse("");
        var question = new ForeignEmbeds.Question(
                url,
                request.arguments().number("maxwidth"),
                request.arguments().number("maxheight"),
                request.arguments().flag("discover"),
                ownHost);
        String host = host(url);
        try {
            calls.callOut(request.caller().accountId(), host.isEmpty() ? "none" : host);
        } catch (RateLimitException rejected) {
            throw RestError.of(429, "rest_too_many_requests", "Too many pages were asked for; try again later.")
                    .withRetryAfter(rejected.decision()
                            .retryAfter()
                            .map(GuessLimit::seconds)
                            .orElse("1"));
        }
        return RestAnswer.ok(foreign.ask(question).orElseThrow(OembedRoutes::invalidUrl));
    }

    /** The height follows the width, whatever room the asker has. */
    private RestAnswer own(RestRequest request, Item item) {
        return RestAnswer.ok(
                own.describe(request.baseUrl(), item, request.arguments().number("maxwidth")));
    }

    /** What is counted by: the host as it is spelled, or nothing where there is none. */
    private static String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? "" : host.toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String url(RestRequest request) {
        return request.arguments().text("url").orElse("").stripLeading().replace(" ", "%20");
    }

    /** Takes the number that a value begins with. What begins with none is 0, and never an error. */
    private static long number(JsonNode value) {
        if (value.isContainer() || value.isBoolean()) {
            return value.isEmpty() && !value.asBoolean(false) ? 0 : 1;
        }
        Matcher number = NUMBER.matcher(value.asString(""));
        return number.lookingAt()
                ? new BigDecimal(number.group(1))
                        .max(LARGEST.negate())
                        .min(LARGEST)
                        .longValue()
                : 0;
    }

    private static RestError invalidUrl() {
        return RestError.of(404, "oembed_invalid_url", "Not Found");
    }
}

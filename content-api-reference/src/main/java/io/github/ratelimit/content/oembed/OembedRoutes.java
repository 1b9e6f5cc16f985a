package io.github.ratelimit.content.oembed;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestBody;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import io.github.ratelimit.http.HttpCall;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes of {@code oembed/1.0}: what others may know about our items, and what our authors may know about theirs. */
@Component
@Order(10)
class OembedRoutes implements RouteSource {

    private static final String NAMESPACE = "oembed/1.0";
    private static final String XML = "text/xml; charset=UTF-8";
    private static final Schema URL =
            Schema.string().describedAs("The address of a page.").format("uri");

    private static final Permission PROXY = request -> {
        if (!request.caller().may(Capability.USE_PROXY)) {
            throw RestError.forbidden(
                    request.caller(), "rest_forbidden", "Sorry, you are not allowed to make proxied oEmbed requests.");
        }
    };

    private final OwnEmbeds own;
    private final ForeignEmbeds foreign;
    private final @Nullable Limiter<HttpCall> limiter;

    OembedRoutes(OwnEmbeds own, ForeignEmbeds foreign, ObjectProvider<Limiter<HttpCall>> oembedProxyLimiter) {
        this.own = own;
        this.foreign = foreign;
        this.limiter = oembedProxyLimiter.getIfAvailable(); // there is none while limits are switched off
    }

    @Override
    public List<Route> routes() {
        Route embed = Route.in(NAMESPACE)
                .at("/embed")
                .on(RestMethod.GET)
                .accepts(Arguments.of(
                        Argument.required("url", URL),
                        Argument.optional("format", Schema.any().defaultsTo("json")),
                        Argument.optional("maxwidth", Schema.any().defaultsTo(600))))
                .allowedTo(Permission.ANYONE)
                .servedBy(this::embed)
                .build();
        Route proxy = Route.in(NAMESPACE)
                .at("/proxy")
                .on(RestMethod.GET)
                .accepts(Arguments.of(
                        Argument.required("url", URL),
                        Argument.optional(
                                "format",
                                Schema.string()
                                        .describedAs("The form in which foreign sites are asked.")
                                        .defaultsTo("json")
                                        .among("json", "xml")),
                        Argument.optional(
                                "maxwidth",
                                Schema.integer()
                                        .describedAs("The most pixels of width.")
                                        .defaultsTo(600)),
                        Argument.optional("maxheight", Schema.integer().describedAs("The most pixels of height.")),
                        Argument.optional(
                                "discover",
                                Schema.bool()
                                        .describedAs("Whether to ask pages of services that are not known.")
                                        .defaultsTo(true))))
                .allowedTo(PROXY)
                .servedBy(this::proxy)
                .build();
        return List.of(embed, proxy);
    }

    private RestAnswer embed(RestRequest request) {
        boolean isXml = request.arguments()
                .value("format")
                .map(format -> format.asString(""))
                .filter("xml"::equals)
                .isPresent();
        Optional<ObjectNode> description = own.find(request.baseUrl(), url(request))
                .map(item -> own.describe(request.baseUrl(), item, maxWidth(request)));
        if (!isXml) {
            return RestAnswer.ok(description.orElseThrow(OembedRoutes::invalidUrl));
        }
        if (description.isPresent()) {
            return RestAnswer.of(200, RestBody.text(XmlDescription.write(description.get()), XML));
        }
        ObjectNode error = (ObjectNode) invalidUrl().toAnswer().body().tree();
        return RestAnswer.of(404, RestBody.text(XmlDescription.write(error), XML));
    }

    private RestAnswer proxy(RestRequest request) {
        String url = url(request);
        long maxWidth = request.arguments().number("maxwidth");
        if (OwnEmbeds.isOwn(request.baseUrl(), url)) {
            return RestAnswer.ok(own.find(request.baseUrl(), url)
                    .map(item -> own.describe(request.baseUrl(), item, maxWidth))
                    .orElseThrow(OembedRoutes::invalidUrl));
        }
        String ownHost =
                Optional.ofNullable(URI.create(request.baseUrl()).getHost()).orElse("");
        var question = new ForeignEmbeds.Question(
                url,
                Math.max(0, maxWidth),
                Math.max(0, request.arguments().number("maxheight")),
                request.arguments().flag("discover"),
                ownHost);
        Optional<ObjectNode> kept = foreign.find(question);
        if (kept.isPresent()) {
            return RestAnswer.ok(kept.get());
        }
        if (limiter != null) {
            Decision decision = limiter.tryAcquire(ProxyCall.of(request.caller().accountId(), host(url)));
            if (!decision.allowed()) {
                return tooMany(decision);
            }
        }
        return RestAnswer.ok(foreign.ask(question).orElseThrow(OembedRoutes::invalidUrl));
    }

    private static RestAnswer tooMany(Decision decision) {
        long seconds = decision.retryAfter()
                .map(Duration::toMillis)
                .map(millis -> Math.max(1, (millis + 999) / 1000))
                .orElse(1L);
        return RestError.of(429, "rest_too_many_requests", "Too many pages were asked for; try again later.")
                .toAnswer()
                .withHeader("Retry-After", String.valueOf(seconds));
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
        return request.arguments().text("url").orElse("");
    }

    /** Anything that is no number counts as none at all, as clients of this interface know it. */
    private static long maxWidth(RestRequest request) {
        String text = request.arguments()
                .value("maxwidth")
                .filter(JsonNode::isValueNode)
                .map(width -> width.asString(""))
                .orElse("");
        return text.matches("-?[0-9]{1,9}")
                ? Math.abs(Long.parseLong(text))
                : text.matches("[0-9]+") ? Integer.MAX_VALUE : 0;
    }

    private static RestError invalidUrl() {
        return RestError.of(404, "oembed_invalid_url", "Not Found");
    }
}

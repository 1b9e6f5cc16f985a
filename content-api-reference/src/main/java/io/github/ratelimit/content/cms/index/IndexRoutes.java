package io.github.ratelimit.content.cms.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The index document, and the index of each namespace: what the interface offers, made from the declarations of the routes. */
@Component
@Order(0)
class IndexRoutes implements Route.Source {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Namespaces that clients look for by name. The last three have no routes but their index. */
    private static final List<String> NAMESPACES = List.of(
            "oembed/1.0",
            "cache/v1",
            "cache/v3",
            "cms/v2",
            "cms-site-health/v1",
            "cms-block-editor/v1",
            "cms-abilities/v1");

    /** The context in which routes are described with the schema of their items. */
    private static final String HELP = "help";

    /** Addresses are the callers' choice, so only some are kept. Chosen: the names that one server goes by. */
    private static final int MOST_KEPT = 32;

    private final InstantSource clock;
    private final CmsSettings.Site site;
    private final ApplicationPasswords passwords;
    private final Dispatcher dispatcher;
    private final Cache<String, RestAnswer.Body> written =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).build();

    IndexRoutes(InstantSource clock, CmsSettings.Site site, ApplicationPasswords passwords, Dispatcher dispatcher) {
        this.clock = clock;
        this.site = site;
        this.passwords = passwords;
        this.dispatcher = dispatcher;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.at("", "/")
                .on(RestMethod.GET)
                .accepts(Arguments.of(Argument.optional("context", Schema.any().defaultsTo("view"))))
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(this::index)
                .build());
        for (String namespace : NAMESPACES) {
            routes.add(Route.at(namespace, "")
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(
                            Argument.optional("namespace", Schema.any().defaultsTo(namespace)),
                            Argument.optional("context", Schema.any().defaultsTo("view"))))
                    .allowedTo(Route.Permission.ANYONE)
                    .servedBy(this::namespaceIndex)
                    .build());
        }
        return routes;
    }

    private RestAnswer index(RestRequest request) {
        return RestAnswer.of(200, written(request, "", isHelp -> describe(request.baseUrl(), isHelp)));
    }

    private ObjectNode describe(String base, boolean isHelp) {
        ObjectNode index = JSON.objectNode();
        index.put("name", site.title());
        index.put("description", site.tagline());
        index.put("url", base);
        index.put("home", base);
        index.put("gmt_offset", offset());
        index.put("timezone_string", zoneName());
        index.put("page_for_posts", 0);
        index.put("page_on_front", 0);
        index.put("show_on_front", "posts");
        ArrayNode namespaces = index.putArray("namespaces");
        NAMESPACES.forEach(namespaces::add);
        if (passwords.isEnabled()) {
            index.putObject("authentication")
                    .putObject("application-passwords")
                    .putObject("endpoints")
                    .put("authorization", base + "/authorize-application");
        } else {
            index.putArray("authentication"); // an empty map of the reference is written as a list
        }
        index.set("routes", routes(base, dispatcher.routes(), isHelp));
        index.put("site_logo", 0);
        index.put("site_icon", 0);
        index.put("site_icon_url", "");
        RestAddress.link(index.putObject("_links"), "help", base + "/");
        return index;
    }

    private RestAnswer namespaceIndex(RestRequest request) {
        String namespace = request.arguments().text("namespace").orElse("");
        if (!NAMESPACES.contains(namespace)) {
            throw RestError.of(404, "rest_invalid_namespace", "The specified namespace could not be found.");
        }
        return RestAnswer.of(200, written(request, namespace, isHelp -> describe(request.baseUrl(), namespace, isHelp)))
                .linkedBy("");
    }

    private ObjectNode describe(String base, String namespace, boolean isHelp) {
        ObjectNode index = JSON.objectNode().put("namespace", namespace);
        List<Route> members = dispatcher.routes().stream()
                .filter(route -> route.namespace().equals(namespace))
                .toList();
        index.set("routes", routes(base, members, isHelp));
        RestAddress.link(index.putObject("_links"), "up", RestAddress.of(base, "/"));
        return index;
    }

    private static ObjectNode routes(String base, List<Route> routes, boolean isHelp) {
        ObjectNode described = JSON.objectNode();
        routes.forEach(route ->
                described.set(route.pattern(), isHelp ? route.describeWithSchema(base) : route.describe(base)));
        return described;
    }

    /** Routes never change while the server runs, so each document is written once for each address of the site. */
    private RestAnswer.Body written(RestRequest request, String namespace, Function<Boolean, ObjectNode> document) {
        boolean isHelp = request.arguments().text("context").orElse("").equals(HELP);
        return written.get(
                namespace + " " + request.baseUrl() + " " + offset() + " " + isHelp,
                key -> RestAnswer.Body.encoded(RestJson.write(document.apply(isHelp))));
    }

    /** Hours, with a fraction where the zone has one; its own text is what clients expect. */
    private String offset() {
        int seconds = site.timezone().getRules().getOffset(clock.instant()).getTotalSeconds();
        return seconds % 3600 == 0 ? Integer.toString(seconds / 3600) : Double.toString(seconds / 3600.0);
    }

    private String zoneName() {
        return site.timezone().normalized() instanceof ZoneOffset
                ? ""
                : site.timezone().getId();
    }
}

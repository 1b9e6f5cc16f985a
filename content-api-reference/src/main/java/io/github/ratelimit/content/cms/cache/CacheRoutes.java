package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.rest.PageCache;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The routes of {@code cache/v1} and {@code cache/v3}: they show and steer the cache, and take another service's results. */
@Component
@Order(200)
class CacheRoutes implements Route.Source {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String V1 = "cache/v1";
    private static final String V3 = "cache/v3";
    private static final String LACKING = "lack_of_params";
    private static final Set<String> CDN_STATES = Set.of("anonymous", "linked", "cdn", "deleted");

    private static final Route.Permission ADMINISTRATOR = request ->
            request.require(Capability.MANAGE_SITE, "rest_forbidden", "Sorry, you are not allowed to do that.");

    private final PageCache cache;
    private final String outside;
    private final TrustedCallers trusted;

    CacheRoutes(PageCache cache, CmsSettings settings, TrustedCallers trusted) {
        this.cache = cache;
        this.outside = settings.cache().outsideAddress();
        this.trusted = trusted;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        // This server has no crawler and no lists of guests, and shares a key with no service: no id, hash or signature
        // fits.
        routes.add(route(
                V1, "/toggle_crawler_state", RestMethod.POST, ADMINISTRATOR, none -> RestAnswer.ok(JSON.nullNode())));
        routes.add(route(V1, "/tool/check_ip", RestMethod.GET, ADMINISTRATOR, this::checkIp));
        routes.add(route(V1, "/guest/sync", RestMethod.GET, ADMINISTRATOR, this::syncGuests));
        routes.add(route(
                V3,
                "/ip_validate",
                RestMethod.POST,
                trusted,
                request -> error(text(request, "hash").isEmpty() ? LACKING : "err_hash")));
        routes.add(route(V3, "/cms_rest_echo", RestMethod.POST, trusted, this::echo));
        routes.add(route(V3, "/ping", RestMethod.POST, trusted, this::ping));
        routes.add(route(V3, "/cdn_status", RestMethod.POST, trusted, this::cdnStatus));
        for (String kind : List.of("img", "ccss", "ucss", "vpi")) {
            routes.add(route(V1, "/notify_" + kind, RestMethod.POST, trusted, this::notified));
        }
        routes.add(route(V3, "/err_domains", RestMethod.POST, trusted, this::errDomains));
        routes.add(route(V1, "/check_img", RestMethod.POST, trusted, this::checkImages));
        return routes;
    }

    private static Route route(
            String namespace,
            String path,
            RestMethod method,
            Route.Permission permission,
            Function<RestRequest, RestAnswer> handler) {
        return Route.at(namespace, path)
                .on(method)
                .allowedTo(permission)
                .servedBy(handler)
                .build();
    }

    private RestAnswer checkIp(RestRequest request) {
        return RestAnswer.ok(JSON.stringNode(outside.isEmpty() ? "Failed to detect IP" : outside));
    }

    private RestAnswer syncGuests(RestRequest request) {
        return RestAnswer.ok(
                JSON.objectNode().put("success", false).put("message", "Failed to sync Guest Mode lists."));
    }

    /** This server shares a key with no service, so no signature fits. */
    private RestAnswer echo(RestRequest request) {
        boolean isComplete =
                !text(request, "cms_ts").isEmpty() && !text(request, "cms_sign").isEmpty();
        return error(isComplete ? "err_signature" : "No echo data");
    }

    private RestAnswer ping(RestRequest request) {
        String version = version(CacheRoutes.class.getPackage().getImplementationVersion());
        ObjectNode body = JSON.objectNode();
        body.put("v_lscms", version);
        body.put("v_lscms_db", version);
        body.put("v_php", version(System.getProperty("java.version")));
        body.put("v_cms", version(SpringBootVersion.getVersion()));
        body.put("home_url", request.baseUrl());
        return ok(body.put("site_url", request.baseUrl()));
    }

    private static String version(@Nullable String version) {
        // Run from classes, a server has no version of its own.
        return version == null || version.isEmpty() ? "0" : version;
    }

    private RestAnswer cdnStatus(RestRequest request) {
        String state = text(request, "qc_activated");
        if (!CDN_STATES.contains(state)) {
            return error(LACKING);
        }
        return ok(JSON.objectNode().put("qc_activated", state));
    }

    private RestAnswer errDomains(RestRequest request) {
        if (text(request, "main_domain").isEmpty() || text(request, "alias").isEmpty()) {
            return error("lack_of_param");
        }
        // Asked for by a site that was rejected under another name; this one asks for nothing under any name.
        return error("Not an alias req from here");
    }

    /** A service changed what pages are made of, so this server makes them anew. */
    private RestAnswer notified(RestRequest request) {
        long results = request.raw("data").stream()
                .flatMap(data -> data.values().stream())
                .filter(JsonNode::isObject)
                .count();
        if (results == 0) {
            return error("no notified data");
        }
        cache.clear();
        return ok(JSON.objectNode().put("count", results));
    }

    private RestAnswer checkImages(RestRequest request) {
        ObjectNode body = JSON.objectNode();
        body.putObject("data").put("entries", cache.size());
        return ok(body);
    }

    private static String text(RestRequest request, String name) {
        return request.body().form().path(name).asString("");
    }

    private static RestAnswer ok(ObjectNode body) {
        return RestAnswer.ok(body.put("_res", "ok"));
    }

    private static RestAnswer error(String message) {
        return RestAnswer.ok(JSON.objectNode().put("_res", "err").put("_msg", message));
    }
}

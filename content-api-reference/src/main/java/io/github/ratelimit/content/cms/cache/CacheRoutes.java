package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.rest.Handler;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.text.Beginning;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
class CacheRoutes implements RouteSource {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String V1 = "cache/v1";
    private static final String V3 = "cache/v3";
    private static final String LACKING = "lack_of_params";
    private static final Set<String> CDN_STATES = Set.of("anonymous", "linked", "cdn", "deleted");

    /** Chosen: a result is told within a few minutes; a signature that is older was overheard. */
    private static final Duration ECHO_WINDOW = Duration.ofMinutes(10);

    /** Chosen: one call of a service tells no more results at once. */
    private static final int MOST_RESULTS = 200;

    private static final Permission ADMINISTRATOR = request -> {
        if (!request.caller().may(Capability.MANAGE_SITE)) {
            throw RestError.forbidden(request.caller(), "rest_forbidden", "Sorry, you are not allowed to do that.");
        }
    };

    private final InstantSource clock;
    private final PageCache cache;
    private final Crawler crawler;
    private final CacheStore settings;
    private final GuestLists guests;
    private final SiteKeys keys;
    private final OutsideAddress outside;
    private final TrustedCallers trusted;

    CacheRoutes(
            InstantSource clock,
            PageCache cache,
            Crawler crawler,
            CacheStore settings,
            GuestLists guests,
            SiteKeys keys,
            OutsideAddress outside,
            TrustedCallers trusted) {
        this.clock = clock;
        this.cache = cache;
        this.crawler = crawler;
        this.settings = settings;
        this.guests = guests;
        this.keys = keys;
        this.outside = outside;
        this.trusted = trusted;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(route(V1, "/toggle_crawler_state", RestMethod.POST, ADMINISTRATOR, this::toggleCrawler));
        routes.add(route(V1, "/tool/check_ip", RestMethod.GET, ADMINISTRATOR, this::checkIp));
        routes.add(route(V1, "/guest/sync", RestMethod.GET, ADMINISTRATOR, this::syncGuests));
        routes.add(route(V3, "/ip_validate", RestMethod.POST, trusted, this::validateIp));
        routes.add(route(V3, "/cms_rest_echo", RestMethod.POST, trusted, this::echo));
        routes.add(route(V3, "/ping", RestMethod.POST, trusted, this::ping));
        routes.add(route(V3, "/cdn_status", RestMethod.POST, trusted, this::cdnStatus));
        for (String kind : List.of("img", "ccss", "ucss", "vpi")) {
            routes.add(route(V1, "/notify_" + kind, RestMethod.POST, trusted, request -> notified(kind, request)));
        }
        routes.add(route(V3, "/err_domains", RestMethod.POST, trusted, this::errDomains));
        routes.add(route(V1, "/check_img", RestMethod.POST, trusted, this::checkImages));
        return routes;
    }

    private static Route route(
            String namespace, String path, RestMethod method, Permission permission, Handler handler) {
        return Route.in(namespace)
                .at(path)
                .on(method)
                .allowedTo(permission)
                .servedBy(handler)
                .build();
    }

    private RestAnswer toggleCrawler(RestRequest request) {
        String id = text(request, "crawler_id");
        if (!id.matches("[0-9]{1,4}") || !crawler.exists(Long.parseLong(id))) {
            return RestAnswer.ok(JSON.nullNode());
        }
        return RestAnswer.ok(JSON.numberNode(crawler.toggle(Long.parseLong(id)) ? 1 : 0));
    }

    private RestAnswer checkIp(RestRequest request) {
        return RestAnswer.ok(JSON.stringNode(outside.find().orElse("Failed to detect IP")));
    }

    private RestAnswer syncGuests(RestRequest request) {
        boolean synced = guests.sync();
        ObjectNode body = JSON.objectNode().put("success", synced);
        return RestAnswer.ok(
                body.put(
                        "message",
                        synced
                                ? "The lists of guests were fetched."
                                : "The lists of guests could not be fetched; content-api.cache.guest-lists names their address."));
    }

    private RestAnswer validateIp(RestRequest request) {
        String hash = text(request, "hash");
        if (hash.isEmpty()) {
            return error(LACKING);
        }
        return hash.equals(keys.fingerprint()) ? ok(JSON.objectNode().put("hash", keys.answer())) : error("err_hash");
    }

    private RestAnswer echo(RestRequest request) {
        String time = text(request, "cms_ts");
        String signature = text(request, "cms_sign");
        if (time.isEmpty() || signature.isEmpty()) {
            return error("No echo data");
        }
        if (!time.matches("[0-9]{1,12}") || !keys.isSignedByService(time, signature)) {
            return error("err_signature");
        }
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(time)), clock.instant());
        if (age.abs().compareTo(ECHO_WINDOW) > 0) {
            return error("err_timestamp");
        }
        return ok(JSON.objectNode().put("signature_b64", keys.sign(time)));
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
        settings.put("cdn-status", state);
        // Pages say where their files come from.
        cache.changed(Set.of(PageCache.CONTENT));
        return ok(JSON.objectNode().put("qc_activated", state));
    }

    private RestAnswer errDomains(RestRequest request) {
        if (text(request, "main_domain").isEmpty() || text(request, "alias").isEmpty()) {
            return error("lack_of_param");
        }
        // Asked for by a site that was refused under another name; this one asks for nothing under any name.
        return error("Not an alias req from here");
    }

    /** Results belong to pages; a page that is named is fetched anew, as it now looks different. */
    private RestAnswer notified(String kind, RestRequest request) {
        List<JsonNode> results = new ArrayList<>();
        request.raw("data").ifPresent(data -> {
            if (data.isArray() || data.isObject()) {
                data.values().forEach(results::add);
            }
        });
        results.removeIf(result -> !result.isObject());
        if (results.isEmpty() || results.size() > MOST_RESULTS) {
            return error("no notified data");
        }
        for (JsonNode result : results) {
            String subject = cut(result.path("url").asString(""), CacheStore.LONGEST_SUBJECT);
            String content = new String(RestJson.write(result), StandardCharsets.UTF_8);
            settings.addNotification(
                    kind,
                    subject,
                    cut(result.path("status").asString("notified"), CacheStore.LONGEST_STATUS),
                    content.length() > CacheStore.LONGEST ? "{}" : content);
            if (subject.startsWith(request.baseUrl() + "/")) {
                cache.changed(Set.of(subject.substring(request.baseUrl().length())));
            }
        }
        return ok(JSON.objectNode().put("count", results.size()));
    }

    private RestAnswer checkImages(RestRequest request) {
        ObjectNode body = JSON.objectNode();
        ObjectNode data = body.putObject("data");
        ObjectNode images = data.putObject("img");
        for (Map.Entry<String, Long> count : settings.countByStatus("img").entrySet()) {
            images.put(count.getKey(), count.getValue());
        }
        ObjectNode kept = data.putObject("cache");
        kept.put("entries", cache.size());
        kept.put("hits", cache.hits());
        kept.put("misses", cache.misses());
        kept.put("purges", cache.purges());
        return ok(body);
    }

    private static String text(RestRequest request, String name) {
        String text = request.formField(name).map(value -> value.asString("")).orElse("");
        return text.length() > CacheStore.LONGEST ? "" : text;
    }

    private static String cut(String text, int most) {
        return Beginning.of(text.replace("\0", ""), most);
    }

    private static RestAnswer ok(ObjectNode body) {
        return RestAnswer.ok(body.put("_res", "ok"));
    }

    private static RestAnswer error(String message) {
        return RestAnswer.ok(JSON.objectNode().put("_res", "err").put("_msg", message));
    }
}

package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Makes reading requests from an index document: every route that answers GET, its arguments with values that somebody would
 * send who looks for what is hidden. Pages of the site are asked for too. A seed decides. Not safe for concurrent use.
 */
final class ReadingRequests {
    private static final String COLLECTION = "/cms/v2/(?:posts|pages|media|categories|tags|users)";

    /** It asks other sites, and so answers by what they say. */
    private static final String FOREIGN = "/oembed/1.0/proxy";

    private final SiteClient site;
    private final HiddenContent hidden;
    private final List<Long> seen;
    private final List<Target> lists = new ArrayList<>();
    private final List<Target> all = new ArrayList<>();
    private final Random random;

    private record Target(IndexDocument.Route route, Map<String, JsonNode> arguments) {}

    /**
     * A request that can be sent again.
     *
     * @param method of the request: one in six asks for the head alone, or for what may be done
     * @param address of the request, from the first slash on
     * @param namesHidden whether it names an item by a path
     * @param body JSON; empty without one
     */
    record Reading(String method, String address, boolean namesHidden, String body) {
        static Reading get(String address, boolean namesHidden) {
            return new Reading("GET", address, namesHidden, "");
        }
    }

    ReadingRequests(SiteClient site, HiddenContent hidden, List<Long> seen, long seed) {
        this.site = site;
        this.hidden = hidden;
        this.seen = List.copyOf(seen);
        this.random = new Random(seed);
        for (IndexDocument.Route route : IndexDocument.of(site).routes()) {
            for (IndexDocument.Endpoint endpoint : route.endpoints()) {
                if (endpoint.methods().contains("GET") && !route.pattern().equals(FOREIGN)) {
                    Target target = new Target(route, endpoint.arguments());
                    all.add(target);
                    if (route.pattern().matches(COLLECTION)) {
                        lists.add(target);
                    }
                }
            }
        }
    }

    /**
     * Makes so many, each route among them where there are enough: half of them lists. Before them come searches for accounts, and those that
     * ask for what is not published, by what else it must be like: by chance few do.
     */
    List<Reading> next(int count) {
        List<Reading> made = new ArrayList<>();
        for (Wording wording : Wording.values()) {
            made.add(accounts("search", wording.word()));
        }
        made.add(accounts("exclude", "1"));
        for (String route : List.of("/cms/v2/posts", "/cms/v2/pages")) {
            for (Wording wording : Wording.values()) {
                made.add(unpublished(route, "search", wording.word()));
            }
            made.add(unpublished(route, "after", "2022-01-01T00:00:00"));
            made.add(unpublished(route, "menu_order", "7"));
            made.add(unpublished(route, "slug", slug()));
        }
        for (int i = 0; i < count; i++) {
            if (i % 10 == 9) {
                made.add(page());
            } else {
                made.add(reading(i % 2 == 0 ? lists.get(i / 2 % lists.size()) : all.get(i / 2 % all.size())));
            }
        }
        return made;
    }

    /**
     * Makes writes that nobody may do who may not read what they name: by every route of one item, alone and in a batch, with arguments that
     * fit and that do not.
     *
     * @param ids of items that somebody else hides
     */
    List<Reading> refusedWrites(List<Long> ids) {
        List<Reading> made = new ArrayList<>();
        for (long id : ids) {
            for (String collection : List.of("posts", "pages", "media")) {
                String path = "/cms/v2/" + collection + "/" + id;
                String revision = oneOf(hidden.revisions()).toString();
                for (String body : List.of(
                        "{}",
                        "{\"title\": \"x\", \"status\": \"lost\"}",
                        "{\"slug\": \"" + slug() + "\", \"force\": true}",
                        "{\"password\": \"" + word().replace('"', ' ') + "\"}")) {
                    made.add(write("POST", path, body));
                    made.add(write("DELETE", path, body));
                    made.add(batch(path, body));
                }
                made.add(write("POST", path + "/autosaves", "{\"title\": \"x\"}"));
                made.add(write("DELETE", path + "/revisions/" + revision, "{\"force\": true}"));
                made.add(write("POST", path + "/edit", "{\"src\": \"" + oneOf(hidden.fileNames()) + "\"}"));
            }
        }
        return made;
    }

    private static Reading write(String method, String path, String body) {
        return new Reading(method, "/index.php?" + Query.of("rest_route", path), true, body);
    }

    private static Reading batch(String path, String body) {
        String requests = "{\"requests\": [{\"method\": \"PUT\", \"path\": \"" + path + "\", \"body\": " + body
                + "}, {\"method\": \"DELETE\", \"path\": \"" + path + "\"}]}";
        return new Reading("POST", "/index.php?" + Query.of("rest_route", "/batch/v1"), true, requests);
    }

    /** Returns the request, without credentials. */
    SiteClient.Call call(Reading reading) {
        SiteClient.Call call = site.callAddress(reading.method(), site.base() + reading.address());
        return reading.body().isEmpty() ? call : call.json(reading.body());
    }

    private static Reading accounts(String name, String value) {
        return Reading.get("/index.php?" + Query.of("rest_route", "/cms/v2/users", name, value), false);
    }

    private static Reading unpublished(String route, String name, String value) {
        Query query = Query.of("rest_route", route, "status", "any", name, value);
        return Reading.get("/index.php?" + query, false);
    }

    private Reading page() {
        String address = "/?" + oneOf("p", "page_id", "attachment_id", "author") + "=" + id();
        return Reading.get(address + oneOf("", "&embed=true", "&paged=1"), true);
    }

    private Reading reading(Target target) {
        int[] position = {0};
        String path = target.route().path(parameter -> pathPart(parameter, position[0]++));
        Query query = Query.of("rest_route", path);
        List<Map.Entry<String, JsonNode>> arguments =
                new ArrayList<>(target.arguments().entrySet());
        // The password of an item opens it: whoever sends it may read.
        arguments.removeIf(argument -> argument.getKey().equals("password")
                || target.route().parameters().contains(argument.getKey()));
        Collections.shuffle(arguments, random);
        int chosen = 1 + random.nextInt(4);
        for (int i = 0; i < arguments.size(); i++) {
            JsonNode descriptor = arguments.get(i).getValue();
            if (i < chosen || descriptor.path("required").asBoolean(false)) {
                add(query, arguments.get(i).getKey(), descriptor);
            }
        }
        if (random.nextInt(3) == 0) {
            query.add("_embed", oneOf("1", "author", "wp:term", "wp:featuredmedia", "up"));
        }
        if (random.nextInt(6) == 0) {
            query.add("_fields", oneOf("id", "id,slug", "title,_links", "count"));
        }
        if (random.nextInt(10) == 0) {
            query.add("_envelope", "1");
        }
        String method = oneOf("GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "OPTIONS");
        return new Reading(method, "/index.php?" + query, position[0] > 0, "");
    }

    private String pathPart(String parameter, int position) {
        return switch (parameter) {
            case "type" -> oneOf("post", "page", "attachment");
            case "taxonomy" -> oneOf("category", "post_tag");
            case "user_id" -> oneOf("1", "2", "3", "4");
            case "uuid" -> "9f0cdd1b-2a3b-4c5d-8e6f-000000000000";
            default -> position == 0 ? id() : String.valueOf(oneOf(hidden.revisions()));
        };
    }

    private void add(Query query, String name, JsonNode descriptor) {
        boolean isList = isA(descriptor, "array");
        int count = isList ? 1 + random.nextInt(3) : 1;
        for (int i = 0; i < count; i++) {
            query.add(isList ? name + "[]" : name, value(name, isList ? descriptor.path("items") : descriptor));
        }
        if (name.equals("orderby") && query.toString().contains("orderby=include&")) {
            query.add("include[]", id()).add("include[]", id());
        }
    }

    private String value(String name, JsonNode descriptor) {
        List<String> choices =
                descriptor.path("enum").valueStream().map(JsonNode::asString).toList();
        if (!choices.isEmpty()) {
            return oneOf(choices);
        }
        return switch (name) {
            case "search" -> word();
            case "slug" -> slug();
            case "include", "exclude", "parent", "parent_exclude", "post" -> id();
            case "author", "author_exclude" -> oneOf("1", "2", "3", "4");
            case "tags", "tags_exclude", "categories", "categories_exclude" ->
                oneOf(Stream.concat(hidden.terms().stream(), Stream.of(1L)).toList())
                        .toString();
            case "after", "before" -> oneOf("2020-01-01T00:00:00", "2022-01-01T00:00:00", "2035-06-01T00:00:00");
            case "modified_after", "modified_before" -> "2022-01-01T00:00:00";
            case "page" -> oneOf("1", "2", "3");
            case "per_page" -> oneOf("1", "2", "5", "100");
            case "offset" -> oneOf("0", "1", "3", "40");
            case "menu_order" -> oneOf("1", "7");
            case "mime_type" -> oneOf("image/png", "text/plain");
            case "url" -> site.base() + "/?" + oneOf("p", "page_id", "attachment_id") + "=" + id();
            case "capabilities" -> oneOf("edit_posts", "list_users");
            case "roles" -> oneOf("author", "contributor", "administrator");
            case "sticky", "hide_empty", "ignore_sticky", "has_published_posts", "include_children" ->
                oneOf("true", "false");
            default -> isA(descriptor, "integer") ? oneOf("1", "2") : isA(descriptor, "boolean") ? "true" : word();
        };
    }

    /** A text that hidden items have in one of their wordings, or its beginning, or something else. */
    private String word() {
        String word = oneOf(Wording.values()).word();
        return switch (random.nextInt(6)) {
            case 0 -> word.substring(0, 1 + random.nextInt(word.length()));
            case 1 -> "Seen -" + word;
            case 2 -> word + " merger";
            case 3 -> oneOf(hidden.fileNames());
            case 4 -> "Alpha";
            default -> word;
        };
    }

    private String slug() {
        return random.nextInt(4) == 0
                ? oneOf("alpha", "seen", "pen", "silent")
                : oneOf(Wording.values()).slug(Long.parseLong(id()));
    }

    private String id() {
        return random.nextInt(3) == 0
                ? oneOf(seen).toString()
                : oneOf(hidden.ids()).toString();
    }

    private static boolean isA(JsonNode descriptor, String type) {
        JsonNode types = descriptor.path("type");
        return types.isArray()
                ? types.valueStream().anyMatch(one -> one.asString().equals(type))
                : types.asString("").equals(type);
    }

    @SafeVarargs
    private <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}

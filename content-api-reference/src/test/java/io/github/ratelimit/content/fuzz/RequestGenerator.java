package io.github.ratelimit.content.fuzz;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.Recordings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes requests from an index document: any route, any of its methods, any caller, every argument from its descriptor.
 *
 * <p>Half of the requests are well-formed, so that they get past the checks and reach what lies behind. The other half have
 * hostile values, or a hostile form. Not safe for concurrent use.
 */
final class RequestGenerator {

    // Chosen: enough that requests meet what earlier ones made, few enough that they meet it often.
    private static final int REMEMBERED_IDS = 40;

    private final SiteClient site;
    private final Accounts accounts;
    private final Recordings recordings;
    private final List<Target> targets = new ArrayList<>();
    private final Deque<String> ids = new ArrayDeque<>();
    private final Dice dice;
    private final ArgumentValues values;

    RequestGenerator(SiteClient site, Accounts accounts, Recordings recordings, IndexDocument index, long seed) {
        this.site = site;
        this.accounts = accounts;
        this.recordings = recordings;
        this.dice = new Dice(seed);
        this.values = new ArgumentValues(dice, this::id, this::address);
        for (IndexDocument.Route route : index.routes()) {
            for (IndexDocument.Endpoint endpoint : route.endpoints()) {
                for (String method : endpoint.methods()) {
                    // These would take the callers' own accounts away, and with them all that only callers can reach.
                    boolean changesAccounts = route.pattern().contains("/users") && !method.equals("GET");
                    if (!changesAccounts) {
                        targets.add(new Target(route, endpoint, method));
                    }
                }
            }
        }
    }

    /** Makes the ids of items known, the latest first. */
    void remember(String id) {
        ids.addFirst(id);
        if (ids.size() > REMEMBERED_IDS) {
            ids.removeLast();
        }
    }

    /** Returns the next request. */
    Generated next() {
        Target target = dice.oneOf(targets);
        boolean hostile = dice.percent(50);
        String method =
                hostile && dice.percent(5) ? dice.oneOf("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD") : target.method();
        String path = target.route().path(parameter -> hostile && dice.percent(15) ? hostilePathPart() : id());
        Query query = Query.create();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        boolean bodyAllowed = !method.equals("GET") && !method.equals("HEAD");
        for (Map.Entry<String, JsonNode> argument :
                target.endpoint().arguments().entrySet()) {
            boolean required = argument.getValue().path("required").asBoolean(false);
            if (!target.route().parameters().contains(argument.getKey()) && (required || dice.percent(20))) {
                JsonNode value = hostile && dice.percent(40)
                        ? values.hostile(argument.getValue())
                        : values.fitting(argument.getValue());
                if (bodyAllowed && dice.percent(85)) {
                    body.set(argument.getKey(), value);
                } else {
                    add(query, argument.getKey(), value);
                }
            }
        }
        shape(query, hostile);
        SiteClient.Call call = site.call(method, path, query);
        authorise(call);
        String sent = bodyAllowed ? put(call, target, body, hostile) : "";
        String described = method + " " + path + "&" + query + " " + sent;
        return new Generated(call, described.length() > 1_000 ? described.substring(0, 1_000) + "…" : described);
    }

    private String id() {
        if (ids.isEmpty() || dice.percent(10)) {
            return dice.oneOf("0", "1", "999999", "2147483648");
        }
        return dice.oneOf(List.copyOf(ids));
    }

    private String address() {
        String own = site.base() + "/?" + dice.oneOf("p", "page_id", "attachment_id") + "=" + id();
        // Loopback and private addresses only: no test may wait for the outside, or reach it.
        return dice.percent(80) ? own : dice.oneOf("http://127.0.0.1:1/x", "http://10.0.0.1/", "https://[fe80::1]/");
    }

    private String hostilePathPart() {
        return dice.oneOf("-1", "0", "99999999999999999999", "1abc", "1/../2", "%31", "1%00", "", "1;x=2", "１");
    }

    private static void add(Query query, String name, JsonNode value) {
        if (value.isArray()) {
            value.forEach(item -> add(query, name + "[]", item));
        } else if (value.isObject()) {
            value.properties().forEach(entry -> add(query, name + "[" + entry.getKey() + "]", entry.getValue()));
        } else if (query.toString().length() < 4_000) {
            String text = value.asString("");
            query.add(name, text.length() > 1_000 ? text.substring(0, 1_000) : text);
        }
    }

    /** Arguments that every route takes. */
    private void shape(Query query, boolean hostile) {
        if (dice.percent(10)) {
            query.add("_fields", hostile ? values.hostileText().substring(0, 1) : "id,title.rendered,_links");
        }
        if (dice.percent(5)) {
            query.add("_embed", dice.oneOf("1", "author", "wp:term", ""));
        }
        if (dice.percent(3)) {
            query.add("_envelope", "1");
        }
        if (hostile && dice.percent(3)) {
            query.add("_jsonp", dice.oneOf("show", "alert(1)//", "a b"));
        }
        if (hostile && dice.percent(3)) {
            for (int i = 0; i < dice.oneOf(150, 250); i++) {
                query.add("p" + i, "");
            }
        }
        if (hostile && dice.percent(3)) {
            query.add("a[b][c][d][e][f]", "1").add("a", "2").add("[]", "3").add("rest_route", "/");
        }
    }

    private void authorise(SiteClient.Call call) {
        List<Account> all = accounts.all();
        int choice = dice.below(all.size() + 3);
        if (choice < all.size()) {
            call.as(all.get(choice));
        } else if (choice == all.size()) {
            call.as(accounts.get("admin"));
        } else if (choice == all.size() + 1) {
            call.headers(accounts.trustedCallerHeaders());
        }
    }

    /** Gives the request a body, and says which. */
    private String put(SiteClient.Call call, Target target, ObjectNode body, boolean hostile) {
        boolean upload = target.route().pattern().equals("/cms/v2/media");
        if (upload && dice.percent(60)) {
            return putFile(call, hostile);
        }
        if (hostile && dice.percent(20)) {
            return putHostileForm(call, body);
        }
        if (dice.percent(10)) {
            Query fields = Query.create();
            body.properties().forEach(entry -> add(fields, entry.getKey(), entry.getValue()));
            call.form(fields);
            return "form " + fields;
        }
        if (!body.isEmpty() || dice.percent(50)) {
            call.json(body);
        }
        return body.toString();
    }

    private String putFile(SiteClient.Call call, boolean hostile) {
        // The largest one takes long to scale; it is met often enough in other tests.
        String asset = dice.oneOf(recordings.assets().stream()
                .filter(name -> !name.equals("photo.jpg"))
                .toList());
        byte[] content = recordings.asset(asset);
        if (hostile && content.length > 0) {
            for (int i = 0; i < 1 + dice.below(20); i++) {
                content[dice.below(content.length)] = dice.bytes(1)[0];
            }
        }
        String name = hostile ? dice.oneOf("../../x.png", ".htaccess", "a.png.html", "x".repeat(300) + ".gif") : asset;
        if (dice.percent(50)) {
            call.multipart(Map.of("title", "A file"), new SiteClient.FilePart("file", name, "image/png", content));
        } else {
            call.header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                    .header("Content-Type", dice.oneOf("image/png", "image/jpeg", "text/plain", "audio/wav"))
                    .body(content);
        }
        return (hostile ? "damaged " : "") + asset + " as " + name;
    }

    private String putHostileForm(SiteClient.Call call, ObjectNode body) {
        String text = body.toString();
        String json = dice.oneOf(
                text.substring(0, text.length() / 2),
                text + text,
                "{\"title\": 1, \"title\": 2}",
                "[".repeat(dice.oneOf(60, 70, 20_000)),
                "{\"title\": \"" + "x".repeat(dice.oneOf(500_000, 1_100_000)) + "\"}");
        switch (dice.below(7)) {
            case 0 -> call.header("Content-Type", "application/json").body(dice.bytes(200));
            case 1 ->
                call.header("Content-Type", dice.oneOf("text/xml", "application/x-java-serialized-object", "x", "/"))
                        .body(text.getBytes(StandardCharsets.UTF_8));
            case 2 ->
                call.header("Content-Type", "multipart/form-data; boundary=x").body(dice.bytes(300));
            case 3 ->
                call.header("Content-Type", "application/json; charset=utf-16")
                        .body(text.getBytes(StandardCharsets.UTF_16));
            case 4 -> {
                String form = "title=%zz&content=%ff&a[b=1&=&&x";
                call.header("Content-Type", "application/x-www-form-urlencoded")
                        .body(form.getBytes(StandardCharsets.UTF_8));
                return "form " + form;
            }
            default -> {
                call.json(json);
                return json;
            }
        }
        return "a body of another type, or none that can be read";
    }

    private record Target(IndexDocument.Route route, IndexDocument.Endpoint endpoint, String method) {}

    /**
     * A request, ready to be sent.
     *
     * @param call sends it
     * @param described what it is, for a person
     */
    record Generated(SiteClient.Call call, String described) {}
}

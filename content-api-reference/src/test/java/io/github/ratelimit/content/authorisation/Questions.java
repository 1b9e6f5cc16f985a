package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Every question there is about a site: its routes and their methods from the index document, each for every item that the path
 * can name and for every value of the arguments that decide about rights.
 */
final class Questions {

    private static final List<String> AUTHORS = List.of("admin", "author", "contributor");
    private static final List<String> POST_STATES =
            List.of("publish", "guarded", "private", "draft", "pending", "future", "trash", "trashed-draft");

    /** Pages share their rules with posts; what differs is who has the rights. */
    private static final List<String> PAGE_STATES = List.of("publish", "guarded", "private", "draft", "trash");

    private static final List<String> MEDIA_STATES = List.of("unattached", "publish", "private", "draft");

    /** What belongs to an item follows its rights; a few states are enough to see that it does. */
    private static final List<String> STATES_OF_PARENTS = List.of("publish", "private", "draft", "trash");

    /** States in which an item of somebody else is no author's to read. */
    private static final List<String> HIDDEN = List.of("private", "draft", "pending", "future");

    private static final String MIRRORED =
            "[{\"type\": \"flip\", \"args\": {\"flip\": {\"horizontal\": true, \"vertical\": false}}}]";

    private static final List<String> WRITES = List.of("POST", "PUT", "PATCH");

    private final Site site;
    private final List<Question> questions = new ArrayList<>();
    private final Map<String, List<Item>> items = new LinkedHashMap<>();
    /** The login of an account that is none of the callers. */
    static final String STRANGER = "stranger";

    private Questions(IndexDocument index, Site site) {
        this.site = site;
        Set<String> routes =
                index.routes().stream().map(IndexDocument.Route::readable).collect(Collectors.toSet());
        makeItems(routes, "posts", POST_STATES, AUTHORS);
        makeItems(routes, "pages", PAGE_STATES, AUTHORS.subList(0, 2));
        makeItems(routes, "media", MEDIA_STATES, AUTHORS.subList(0, 2));
    }

    /**
     * Makes the items and all questions.
     *
     * @throws IllegalStateException if a route names something that no item is made for
     */
    static Questions about(IndexDocument index, Site site) {
        Questions questions = new Questions(index, site);
        index.routes().forEach(questions::add);
        return questions;
    }

    List<Question> all() {
        return questions;
    }

    /** Of each route and what it does: every item once, and every method with every value of its arguments once. */
    List<Question> usual() {
        return questions.stream().filter(Question::isUsual).toList();
    }

    /** What the administrator alone and editors may read. */
    List<Item> hidden() {
        return items.values().stream()
                .flatMap(List::stream)
                .filter(item -> item.author().equals("admin") && HIDDEN.contains(item.state()))
                .toList();
    }

    /** Makes every item as it was at first. */
    void renew() {
        items.values().forEach(some -> some.forEach(Item::renew));
    }

    private void makeItems(Set<String> routes, String kind, List<String> states, List<String> authors) {
        if (routes.contains("/cms/v2/" + kind)) {
            items.put(
                    kind,
                    states.stream()
                            .flatMap(state -> authors.stream().map(author -> Item.create(site, kind, state, author)))
                            .toList());
        }
    }

    private void add(IndexDocument.Route route) {
        String name = route.readable();
        String kind = name.startsWith("/cms/v2/") ? name.split("/")[3] : "";
        List<Subject> subjects = subjects(name, kind);
        for (int number = 0; number < subjects.size(); number++) {
            Subject subject = subjects.get(number);
            for (IndexDocument.Endpoint endpoint : route.endpoints()) {
                List<Asked> all = new ArrayList<>();
                for (String method : endpoint.methods()) {
                    variants(name, kind, method, endpoint.arguments(), subject)
                            .forEach(variant -> all.add(new Asked(method, variant)));
                }
                int step = Math.min(subjects.size(), all.size());
                for (int i = 0; i < all.size(); i++) {
                    boolean isUsual = (number - i) % step == 0 || all.get(i).isViewOf(name);
                    add(route, name, subject, endpoint.arguments(), all.get(i), isUsual);
                }
            }
        }
        if (items.containsKey(kind) && name.equals("/cms/v2/" + kind)) {
            items.getOrDefault(kind, List.of()).forEach(item -> addSearch(name, item));
        }
    }

    private void add(
            IndexDocument.Route route,
            String name,
            Subject subject,
            Map<String, JsonNode> arguments,
            Asked asked,
            boolean isUsual) {
        String method = asked.method();
        Variant variant = asked.variant();
        Function<String, SiteClient.Call> call = caller -> {
            String path =
                    route.path(parameter -> subject.path(route.parameters().indexOf(parameter), caller));
            ObjectNode values = JsonNodeFactory.instance.objectNode();
            arguments.forEach((argument, descriptor) -> {
                if (descriptor.path("required").asBoolean(false)
                        && !route.parameters().contains(argument)) {
                    values.set(argument, required(name, argument, subject));
                }
            });
            values.setAll(variant.values());
            if (method.equals("GET") || method.equals("DELETE")) {
                Query query = Query.create();
                values.properties()
                        .forEach(entry ->
                                query.add(entry.getKey(), entry.getValue().asString()));
                return site.client().call(method, path, query);
            }
            SiteClient.Call request = site.client().call(method, path);
            return name.equals("/cms/v2/media") ? picture(request) : request.json(values);
        };
        String line = Stream.of(subject.name(), method, variant.name())
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + "  " + other)
                .orElse("");
        questions.add(new Question(name, line, call, restore(name, method, subject), isUsual));
    }

    /** What nobody may find that may not read it, whatever the answer otherwise holds. */
    private void addSearch(String route, Item item) {
        questions.add(new Question(
                route,
                item.state() + " by " + item.author() + "  GET  search for its text",
                caller -> site.client().call("GET", route + "?search=" + item.marker() + "&_fields=id"),
                answer -> {},
                true));
    }

    private Consumer<Answer> restore(String route, String method, Subject subject) {
        if (method.equals("GET")) {
            return answer -> {};
        }
        return answer -> {
            // Creations answer with the new item's id; what they were made for stays as it was, or is renewed.
            String collection = route.endsWith("/edit") ? "/cms/v2/media" : route;
            if (answer.status() == 201 && answer.json().path("id").isIntegralNumber()) {
                site.deleteForGood(collection + "/" + Site.id(answer));
            }
            subject.renew().run();
        };
    }

    private List<Subject> subjects(String route, String kind) {
        if (!route.contains("<")) {
            return List.of(Subject.fixed(""));
        }
        boolean child = route.contains("/revisions") || route.contains("/autosaves");
        List<Item> candidates = items.get(kind);
        if (candidates != null) {
            return candidates.stream()
                    .filter(item -> !child || STATES_OF_PARENTS.contains(item.state()))
                    .map(item -> new Subject(
                            item.state() + " by " + item.author(),
                            (position, caller) -> String.valueOf(
                                    position == 0
                                            ? item.id()
                                            : route.contains("/revisions") ? item.revision() : item.autosave()),
                            item::renew,
                            item))
                    .toList();
        }
        return switch (route) {
            case "/cms/v2/categories/<id>", "/cms/v2/tags/<id>" -> List.of(term("/cms/v2/" + kind));
            case "/cms/v2/users/<id>", "/cms/v2/users/<user_id>/application-passwords" ->
                List.of(otherAccount(), ownAccount());
            case "/cms/v2/users/<user_id>/application-passwords/<uuid>" -> List.of(otherAccount());
            case "/cms/v2/types/<type>" -> List.of(Subject.fixed("page"));
            case "/cms/v2/taxonomies/<taxonomy>" -> List.of(Subject.fixed("category"));
            default -> throw new IllegalStateException("no item is made for the route " + route);
        };
    }

    private Subject term(String collection) {
        long[] id = {0};
        Runnable renew = () -> {
            if (id[0] != 0) {
                site.deleteForGood(collection + "/" + id[0]);
            }
            id[0] = site.create(collection, Site.fields().put("name", "Term of the table"));
        };
        renew.run();
        return new Subject("", (position, caller) -> String.valueOf(id[0]), renew, null);
    }

    /** A subscriber, whom settings have made, with an application password. */
    private Subject otherAccount() {
        long id = site.client()
                .as(site.admin())
                .get("/cms/v2/users?context=edit&search=" + STRANGER)
                .number("/0/id");
        return new Subject(
                "another account",
                (position, caller) -> position == 0 ? String.valueOf(id) : passwordOf(id),
                () -> {},
                null);
    }

    /** Issues a password: another question may have deleted the one before. */
    private String passwordOf(long account) {
        SiteClient.Call issue = site.client()
                .as(site.admin())
                .call("POST", "/cms/v2/users/" + account + "/application-passwords")
                .json(Site.fields().put("name", "Of the table"));
        return site.succeed(issue).text("/uuid");
    }

    private Subject ownAccount() {
        return new Subject(
                "own account",
                (position, caller) -> String.valueOf(site.accountId(caller.equals("anonymous") ? "admin" : caller)),
                () -> {},
                null);
    }

    private List<Variant> variants(
            String route, String kind, String method, Map<String, JsonNode> arguments, Subject subject) {
        boolean itemOrCollection = items.containsKey(kind) && route.matches("/cms/v2/\\w+(/<id>)?");
        if (method.equals("GET")) {
            return readings(arguments, subject);
        }
        if (method.equals("DELETE")) {
            // What the callers sign in with is needed for the next question.
            return subject.name().equals("own account") || route.contains("users/me")
                    ? List.of()
                    : arguments.containsKey("force")
                            ? List.of(new Variant("", Site.fields()), new Variant("force", force()))
                            : List.of(new Variant("", Site.fields()));
        }
        if (itemOrCollection && method.equals("POST") && !kind.equals("media")) {
            return writings(arguments);
        }
        if (arguments.containsKey("modifiers")) {
            return List.of(new Variant("", Site.fields().set("modifiers", Json.read(MIRRORED))));
        }
        if (WRITES.contains(method) && arguments.containsKey("title")) {
            return List.of(new Variant("", Site.fields().put("title", "Changed")));
        }
        return List.of(new Variant("", Site.fields()));
    }

    private ObjectNode force() {
        return Site.fields().put("force", "true");
    }

    private static List<Variant> readings(Map<String, JsonNode> arguments, Subject subject) {
        List<Variant> variants = new ArrayList<>();
        for (JsonNode context : choices(arguments.get("context"))) {
            for (JsonNode status : choices(listItems(arguments.get("status")))) {
                ObjectNode values = Site.fields();
                if (!context.asString().isEmpty()) {
                    values.put("context", context.asString());
                }
                if (!status.asString().isEmpty()) {
                    values.put("status", status.asString()).put("per_page", 100);
                }
                variants.add(new Variant((context.asString() + "  " + status.asString()).strip(), values));
            }
        }
        Item item = subject.item();
        if (item != null && item.state().equals("guarded") && arguments.containsKey("password")) {
            variants.add(new Variant("view  with the password", Site.fields().put("password", "open-sesame")));
        }
        return variants;
    }

    private List<Variant> writings(Map<String, JsonNode> arguments) {
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant("", Site.fields().put("title", "Changed")));
        for (JsonNode status : choices(arguments.get("status"))) {
            variants.add(new Variant(
                    "to " + status.asString(),
                    Site.fields()
                            .put("title", "Changed")
                            .put("status", status.asString())
                            .put(
                                    "date",
                                    status.asString().equals("future")
                                            ? "2035-01-10T10:00:00"
                                            : "2024-01-10T10:00:00")));
        }
        variants.add(new Variant(
                "to another author", Site.fields().put("title", "Changed").put("author", site.accountId("editor"))));
        if (arguments.containsKey("sticky")) {
            variants.add(new Variant(
                    "to sticky", Site.fields().put("title", "Changed").put("sticky", true)));
        }
        return variants;
    }

    private static @Nullable JsonNode listItems(@Nullable JsonNode descriptor) {
        return descriptor == null ? null : descriptor.get("items");
    }

    /** The values that a descriptor allows; one empty text where it does not limit them. */
    private static List<JsonNode> choices(@Nullable JsonNode descriptor) {
        JsonNode choices = descriptor == null ? null : descriptor.get("enum");
        return choices == null
                ? List.of(StringNode.valueOf(""))
                : choices.valueStream().toList();
    }

    private JsonNode required(String route, String argument, Subject subject) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        Item item = subject.item();
        return switch (argument) {
            case "url" ->
                json.stringNode(site.client().base() + "/?p="
                        + items.getOrDefault("posts", List.of()).get(0).id());
            case "requests" -> json.arrayNode();
            case "action" -> json.stringNode("create-image-subsizes");
            case "src" -> json.stringNode(item == null ? "" : item.source());
            case "name" -> json.stringNode("Named by the table");
            case "username" -> json.stringNode("named-by-the-table");
            case "email" -> json.stringNode("named-by-the-table@example.test");
            case "password" -> json.stringNode("a password of some length");
            case "reassign" -> json.numberNode(site.accountId("admin"));
            default -> throw new IllegalStateException(route + ": no value is known for the argument " + argument);
        };
    }

    private static SiteClient.Call picture(SiteClient.Call call) {
        return call.file("table.txt", "text/plain", "A text".getBytes(StandardCharsets.UTF_8));
    }

    /** What a path names: by the position of the parameter and the caller's name. */
    private interface PathPart {
        String of(int position, String caller);
    }

    private record Subject(
            String name,
            PathPart part,
            Runnable renew,
            @Nullable Item item) {
        /** What every path names alike, and nobody changes. */
        static Subject fixed(String part) {
            return new Subject("", (position, caller) -> part, () -> {}, null);
        }

        String path(int position, String caller) {
            return part.of(position, caller);
        }
    }

    private record Variant(String name, ObjectNode values) {}

    private record Asked(String method, Variant variant) {
        /** Tells whether a caller may read an item, wherever else its text is shown. */
        boolean isViewOf(String route) {
            return method.equals("GET") && variant.name().startsWith("view") && route.matches("/cms/v2/\\w+/<id>");
        }
    }
}

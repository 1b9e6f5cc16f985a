package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Gives an answer the form that the query asks for: {@code _fields}, {@code _embed}, {@code _envelope}. */
final class Shaping {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String LINKS = "_links";
    private static final String EMBEDDED = "_embedded";
    /** Values of {@code _embed} that name no relation: all are meant. */
    private static final Set<String> ALL = Set.of("", "0", "1", "true");
    /** Chosen: more than any answer has, so only whoever wants to make work notices. */
    private static final int MOST_FIELDS = 200;

    private final Function<List<RestRequest>, List<JsonNode>> follow;

    /**
     * Shapes answers.
     *
     * @param follow answers linked requests, in their order
     */
    Shaping(Function<List<RestRequest>, List<JsonNode>> follow) {
        this.follow = follow;
    }

    /** Keeps the members that a request selects. Errors are shown whole. */
    static RestAnswer select(RestRequest request, RestAnswer answer) {
        if (answer.isError() || !answer.body().isJson()) {
            return answer;
        }
        List<String> names = new ArrayList<>(selected(request));
        if (names.isEmpty()) {
            return answer;
        }
        JsonNode body = answer.body().tree();
        boolean isEmbedding = names.contains(EMBEDDED) && request.sent("_embed") != null;
        adapt(names, answer.members(), body.isObject(), isEmbedding);
        FieldTree tree = FieldTree.of(names);
        if (body instanceof ArrayNode list) {
            ArrayNode kept = JSON.arrayNode();
            list.forEach(item -> kept.add(item.isObject() ? tree.keep(item) : item));
            return answer.withBody(kept);
        }
        return answer.withBody(body.isObject() ? tree.keep(body) : body);
    }

    /** Applies the rules of recorded answers that depend on the kind of an item. */
    private static void adapt(List<String> names, RestAnswer.Members members, boolean isSingle, boolean isEmbedding) {
        String linking = members.linking();
        boolean isLinked = linking.isEmpty()
                || (linking.equals(LINKS)
                        ? isEmbedding || names.stream().anyMatch(Shaping::isLink)
                        : names.contains(linking));
        names.removeIf(name -> name.contains(".") && members.whole().contains(firstPart(name)));
        // The links of a single item cannot be selected in parts.
        if (isSingle || !isLinked) {
            names.removeIf(Shaping::isLink);
        }
        if (isSingle && isLinked) {
            names.add(LINKS);
        }
    }

    private static boolean isLink(String name) {
        return firstPart(name).equals(LINKS);
    }

    private static String firstPart(String name) {
        return name.split("\\.", 2)[0];
    }

    /** Names what a request selects; nothing where all is shown. */
    private static List<String> selected(RestRequest request) {
        JsonNode asked = request.sent("_fields");
        List<String> names = asked == null || asked.isNull() ? List.of() : words(asked);
        return names.subList(0, Math.min(names.size(), MOST_FIELDS));
    }

    /** Tells which members the answer to a request may show; the id of a deleted item is always shown. */
    static Predicate<String> shown(RestRequest request) {
        Set<String> names = selected(request).stream().map(Shaping::firstPart).collect(Collectors.toSet());
        return member -> names.isEmpty() || names.contains(member) || member.equals("id");
    }

    /** Gives an answer its last form: with what its links lead to, and in an envelope. */
    RestAnswer finish(RestRequest request, RestAnswer answer) {
        ObjectNode query = request.query();
        if (!answer.body().isJson() || !(query.has("_embed") || query.has("_envelope"))) {
            return answer;
        }
        RestAnswer embedded = withEmbedded(request, answer);
        return query.has("_envelope") ? RestAnswer.ok(embedded.envelope()) : embedded;
    }

    /** Names of members, those below a name behind it; a leaf keeps all that is below it. */
    private static final class FieldTree {
        private final Map<String, FieldTree> members = new HashMap<>();
        private boolean whole;

        static FieldTree of(List<String> names) {
            FieldTree root = new FieldTree();
            for (String name : names) {
                FieldTree at = root;
                for (String part : name.split("\\.", 16)) {
                    at = at.members.computeIfAbsent(part, unseen -> new FieldTree());
                }
                at.whole = true;
            }
            return root;
        }

        /** Keeps members of an object or, by their numbers, items of a list. Clients expect a list where nothing is left. */
        JsonNode keep(JsonNode holder) {
            ObjectNode kept = JSON.objectNode();
            if (holder instanceof ArrayNode list) {
                for (int i = 0; i < list.size(); i++) {
                    keep(kept, Integer.toString(i), list.get(i));
                }
            } else {
                holder.properties().forEach(member -> keep(kept, member.getKey(), member.getValue()));
            }
            int place = 0;
            for (String name : kept.propertyNames()) {
                if (!name.equals(Integer.toString(place++))) {
                    return kept;
                }
            }
            return JSON.arrayNode().addAll(kept.values());
        }

        private void keep(ObjectNode kept, String name, JsonNode value) {
            FieldTree below = members.get(name);
            if (below != null) {
                // Below a single value there is nothing to select.
                kept.set(name, below.whole || !value.isContainer() ? value : below.keep(value));
            }
        }
    }

    private RestAnswer withEmbedded(RestRequest request, RestAnswer answer) {
        JsonNode asked = request.query().get("_embed");
        if (asked == null) {
            return answer;
        }
        boolean all = ALL.contains(asked.asString("-")) || words(asked).isEmpty();
        Embedding embedding = new Embedding(request, all ? null : Set.copyOf(words(asked)));
        JsonNode body = answer.body().tree();
        Iterable<JsonNode> items = body instanceof ArrayNode list ? list : List.of(body);
        embedding.follow(items);
        items.forEach(embedding::embed);
        return answer.withBody(body);
    }

    /** Follows the links of one answer; each address once. */
    private final class Embedding {
        private final RestRequest request;
        private final @Nullable Set<String> relations;
        private final Map<String, JsonNode> followed = new HashMap<>();

        Embedding(RestRequest request, @Nullable Set<String> relations) {
            this.request = request;
            this.relations = relations;
        }

        /** Follows the links of all items, before any of them is shown. */
        void follow(Iterable<JsonNode> items) {
            Map<String, RestRequest> requests = new LinkedHashMap<>();
            for (JsonNode item : items) {
                item.path(LINKS).properties().stream()
                        .filter(relation -> isWanted(relation.getKey()))
                        .flatMap(relation -> relation.getValue().values().stream())
                        .filter(link -> link.path("embeddable").asBoolean(false))
                        .map(link -> link.path("href").asString(""))
                        .forEach(address -> request(address).ifPresent(linked -> requests.put(address, linked)));
            }
            Iterator<JsonNode> answers =
                    follow.apply(List.copyOf(requests.values())).iterator();
            requests.keySet().forEach(address -> followed.put(address, answers.next()));
        }

        private boolean isWanted(String relation) {
            return relations == null || relations.contains(relation);
        }

        void embed(JsonNode item) {
            if (!(item instanceof ObjectNode object) || !(object.get(LINKS) instanceof ObjectNode links)) {
                return;
            }
            ObjectNode embedded = JSON.objectNode();
            for (Map.Entry<String, JsonNode> relation : links.properties()) {
                if (!isWanted(relation.getKey())) {
                    continue;
                }
                ArrayNode targets = JSON.arrayNode();
                boolean any = false;
                for (JsonNode link : relation.getValue().values()) {
                    JsonNode target = link.path("embeddable").asBoolean(false)
                            ? followed.getOrDefault(link.path("href").asString(""), JSON.arrayNode())
                            : JSON.arrayNode();
                    targets.add(target);
                    any |= !target.isEmpty();
                }
                if (any) {
                    embedded.set(relation.getKey(), targets);
                }
            }
            if (!embedded.isEmpty()) {
                object.set(EMBEDDED, embedded);
            }
        }

        private Optional<RestRequest> request(String address) {
            if (!address.startsWith(RestAddress.of(request.baseUrl(), ""))) {
                return Optional.empty();
            }
            ObjectNode query = JSON.objectNode().put("context", "embed").put("per_page", "100");
            query.setAll(FormParser.parse(address.substring(address.indexOf('?') + 1)));
            JsonNode route = query.remove(RestAddress.ROUTE_PARAMETER);
            return Optional.of(request.following(route.asString(""), query));
        }
    }

    /** Reads names: text with commas or spaces between them, or a list of single names. */
    private static List<String> words(JsonNode value) {
        if (!value.isContainer()) {
            return Spelling.words(value.asString(""), ListRule.MOST_ITEMS);
        }
        List<String> names = new ArrayList<>();
        for (JsonNode item : value.values()) {
            if (!item.isContainer() && !item.isNull()) {
                names.add(item.asString("").strip());
            }
        }
        return names;
    }
}

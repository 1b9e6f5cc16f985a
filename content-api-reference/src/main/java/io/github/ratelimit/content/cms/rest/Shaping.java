package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
        List<String> names = selected(request);
        if (names.isEmpty()) {
            return answer;
        }
        Selection selection = new Selection(names, request.sent("_embed") != null, answer.members());
        return answer.withBody(selection.of(answer.body().tree()));
    }

    /** Names what a request selects; nothing where all is shown. */
    private static List<String> selected(RestRequest request) {
        JsonNode asked = request.sent("_fields");
        List<String> names = asked == null || asked.isNull() ? List.of() : words(asked);
        return names.subList(0, Math.min(names.size(), MOST_FIELDS));
    }

    /** Names the members of which a request selects something; nothing where all are shown. */
    static Set<String> members(RestRequest request) {
        return firstParts(selected(request));
    }

    private static Set<String> firstParts(List<String> names) {
        return names.stream().map(name -> name.split("\\.", 2)[0]).collect(Collectors.toSet());
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

    /** The members that a request names. */
    private static final class Selection {
        private final Set<String> names;
        private final Set<String> firstParts;
        private final FieldTree tree;
        private final boolean isEmbedding;
        private final RestAnswer.Members members;

        Selection(List<String> names, boolean isEmbedding, RestAnswer.Members members) {
            this.names = Set.copyOf(names);
            this.firstParts = firstParts(names);
            this.tree = FieldTree.of(names);
            this.isEmbedding = isEmbedding;
            this.members = members;
        }

        JsonNode of(JsonNode body) {
            if (body instanceof ArrayNode list) {
                ArrayNode kept = JSON.arrayNode();
                for (JsonNode item : list) {
                    if (item instanceof ObjectNode object) {
                        reduce(object);
                        kept.add(tree.keep(object));
                    } else {
                        kept.add(item);
                    }
                }
                return kept;
            }
            return body instanceof ObjectNode item ? of(item) : body;
        }

        private JsonNode of(ObjectNode item) {
            reduce(item);
            if (members.isDeletion() && item.get("previous") instanceof ObjectNode previous) {
                // What was deleted is shown by its own members; its id is always among them.
                previous.retain(previous.propertyNames().stream()
                        .filter(name -> name.equals("id") || isNamed(name))
                        .toList());
            }
            // The links of a single item are one thing: whoever asks for some of them gets all.
            JsonNode links = item.remove(LINKS);
            JsonNode kept = tree.keep(item);
            if (links == null || !isLinked()) {
                return kept;
            }
            ObjectNode linked = kept instanceof ObjectNode object ? object : JSON.objectNode();
            return linked.set(LINKS, links);
        }

        /** Takes away what cannot be selected in parts, and the links of what does not show its linking member. */
        private void reduce(ObjectNode item) {
            members.whole().stream().filter(name -> !names.contains(name)).forEach(item::remove);
            if (!members.linking().equals(LINKS) && !isLinked()) {
                item.remove(LINKS);
            }
        }

        private boolean isLinked() {
            String linking = members.linking();
            if (!linking.equals(LINKS)) {
                return linking.isEmpty() || names.contains(linking);
            }
            return isNamed(LINKS) || (isEmbedding && isNamed(EMBEDDED));
        }

        /** Says whether a member is selected, or something below it. */
        private boolean isNamed(String member) {
            return firstParts.contains(member)
                    && (names.contains(member) || !members.whole().contains(member));
        }
    }

    /** Names of members, those below a name behind it; a leaf keeps all that is below it. */
    private static final class FieldTree {
        private final Map<String, FieldTree> members = new HashMap<>();
        private boolean whole;

        /** Reads names up to the first one below what is kept whole already, as clients of this interface know it. */
        static FieldTree of(List<String> names) {
            FieldTree root = new FieldTree();
            for (String name : names) {
                FieldTree at = root;
                for (String part : name.split("\\.", 16)) {
                    if (at.whole) {
                        return root;
                    }
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
            Set<String> addresses = new LinkedHashSet<>();
            for (JsonNode item : items) {
                item.path(LINKS).properties().stream()
                        .filter(relation -> isWanted(relation.getKey()))
                        .flatMap(relation -> relation.getValue().values().stream())
                        .filter(link -> link.path("embeddable").asBoolean(false))
                        .forEach(link -> addresses.add(link.path("href").asString("")));
            }
            List<String> known = new ArrayList<>();
            List<RestRequest> requests = new ArrayList<>();
            for (String address : addresses) {
                request(address).ifPresent(linked -> {
                    known.add(address);
                    requests.add(linked);
                });
            }
            List<JsonNode> answers = follow.apply(requests);
            for (int i = 0; i < known.size(); i++) {
                followed.put(known.get(i), answers.get(i));
            }
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
            String prefix = RestAddress.of(request.baseUrl(), "");
            if (!address.startsWith(prefix)) {
                return Optional.empty();
            }
            String[] parts = address.substring(prefix.length()).split("&", -1);
            ObjectNode query = JSON.objectNode().put("context", "embed").put("per_page", "100");
            for (int i = 1; i < parts.length; i++) {
                String[] pair = parts[i].split("=", 2);
                query.put(RestAddress.decode(pair[0]), pair.length == 2 ? RestAddress.decode(pair[1]) : "");
            }
            return Optional.of(request.following(RestAddress.decode(parts[0]), query));
        }
    }

    /** Reads names: text with commas or spaces between them, or a list of single names. */
    private static List<String> words(JsonNode value) {
        if (!value.isContainer()) {
            return SchemaReader.words(value.asString(""), SchemaReader.MOST_ITEMS);
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

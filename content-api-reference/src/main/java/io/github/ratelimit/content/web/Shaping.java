package io.github.ratelimit.content.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
    /** Chosen: more than any answer has, so only whoever wants to make work notices. */
    private static final int MOST_FIELDS = 200;

    private final Function<RestRequest, Optional<RestAnswer>> follow;

    /**
     * Shapes answers.
     *
     * @param follow answers a linked request; empty where there is no such route
     */
    Shaping(Function<RestRequest, Optional<RestAnswer>> follow) {
        this.follow = follow;
    }

    RestAnswer shape(RestRequest request, RestAnswer answer) {
        ObjectNode query = request.query();
        if (!answer.body().isJson() || !(query.has("_fields") || query.has("_embed") || query.has("_envelope"))) {
            return answer;
        }
        RestAnswer shaped = answer;
        if (!answer.isError()) {
            shaped = withFields(request, shaped);
            shaped = withEmbedded(request, shaped);
        }
        return query.has("_envelope") ? enveloped(shaped) : shaped;
    }

    private static RestAnswer enveloped(RestAnswer answer) {
        return RestAnswer.ok(answer.envelope());
    }

    private static RestAnswer withFields(RestRequest request, RestAnswer answer) {
        FieldTree fields = FieldTree.of(words(request.query().get("_fields")));
        if (fields == null) {
            return answer;
        }
        JsonNode body = answer.body().tree();
        if (body instanceof ArrayNode list) {
            ArrayNode kept = JSON.arrayNode();
            list.forEach(item -> kept.add(item instanceof ObjectNode object ? orNone(fields.keep(object)) : item));
            return answer.withBody(kept);
        }
        if (!(body instanceof ObjectNode item)) {
            return answer;
        }
        // The links of a single item are one thing: whoever asks for some of them, or for what they lead to, gets all.
        JsonNode links = item.get(LINKS);
        ObjectNode kept = fields.keep(item);
        kept.remove(LINKS);
        if (links != null && (fields.has(answer.linkingMember()) || fields.has(LINKS) || fields.has(EMBEDDED))) {
            kept.set(LINKS, links);
        }
        return answer.withBody(orNone(kept));
    }

    private static JsonNode orNone(ObjectNode kept) {
        return kept.isEmpty() ? JSON.arrayNode() : kept;
    }

    /** Names of members, those below a name behind it; a leaf keeps all that is below it. */
    private static final class FieldTree {
        private final Map<String, FieldTree> members = new HashMap<>();
        private boolean whole;

        static @Nullable FieldTree of(List<String> names) {
            if (names.isEmpty()) {
                return null;
            }
            FieldTree root = new FieldTree();
            for (String name : names.subList(0, Math.min(names.size(), MOST_FIELDS))) {
                FieldTree at = root;
                for (String part : name.split("\\.", 16)) {
                    at = at.members.computeIfAbsent(part, unseen -> new FieldTree());
                }
                at.whole = true;
            }
            return root;
        }

        boolean has(String name) {
            return members.containsKey(name);
        }

        ObjectNode keep(ObjectNode object) {
            ObjectNode kept = JSON.objectNode();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                FieldTree below = members.get(member.getKey());
                if (below == null) {
                    continue;
                }
                if (below.whole) {
                    kept.set(member.getKey(), member.getValue());
                } else if (member.getValue() instanceof ObjectNode inner) {
                    ObjectNode part = below.keep(inner);
                    if (!part.isEmpty()) {
                        kept.set(member.getKey(), part);
                    }
                }
            }
            return kept;
        }
    }

    private RestAnswer withEmbedded(RestRequest request, RestAnswer answer) {
        JsonNode asked = request.query().get("_embed");
        if (asked == null) {
            return answer;
        }
        List<String> relations = words(asked);
        boolean all = relations.isEmpty() || relations.equals(List.of("1")) || relations.equals(List.of("true"));
        Embedding embedding = new Embedding(request, all ? null : Set.copyOf(relations));
        JsonNode body = answer.body().tree();
        if (body instanceof ArrayNode list) {
            list.forEach(embedding::embed);
        } else {
            embedding.embed(body);
        }
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

        void embed(JsonNode item) {
            if (!(item instanceof ObjectNode object) || !(object.get(LINKS) instanceof ObjectNode links)) {
                return;
            }
            ObjectNode embedded = JSON.objectNode();
            for (Map.Entry<String, JsonNode> relation : links.properties()) {
                if (relations != null && !relations.contains(relation.getKey())) {
                    continue;
                }
                ArrayNode targets = JSON.arrayNode();
                boolean any = false;
                for (JsonNode link : relation.getValue().values()) {
                    JsonNode target = link.path("embeddable").asBoolean(false)
                            ? followed.computeIfAbsent(link.path("href").asString(""), this::target)
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

        private JsonNode target(String address) {
            String prefix = RestAddress.of(request.baseUrl(), "");
            if (!address.startsWith(prefix)) {
                return JSON.arrayNode();
            }
            String[] parts = address.substring(prefix.length()).split("&", -1);
            ObjectNode query = JSON.objectNode().put("context", "embed").put("per_page", "100");
            for (int i = 1; i < parts.length; i++) {
                String[] pair = parts[i].split("=", 2);
                query.put(decode(pair[0]), pair.length == 2 ? decode(pair[1]) : "");
            }
            return follow.apply(request.within(RestMethod.GET, decode(parts[0]), query, null))
                    .map(answer -> answer.body().tree())
                    .orElseGet(JSON::arrayNode);
        }

        private static String decode(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }

    /** Reads a list of names, given as a list or as text with commas. */
    private static List<String> words(@Nullable JsonNode value) {
        List<String> names = new ArrayList<>();
        if (value == null) {
            return names;
        }
        if (value.isArray()) {
            value.forEach(item -> names.addAll(SchemaReader.words(item.asString(""))));
        } else if (value.isString()) {
            names.addAll(SchemaReader.words(value.stringValue()));
        }
        return names;
    }
}

package io.github.ratelimit.content.widget;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The surfaces as {@code /openapi.yaml} describes them. Holds answers to it. Safe for concurrent use. */
final class DescribedSurface {

    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String JSON = "application/json";

    private final JsonNode document;
    private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();

    private DescribedSurface(JsonNode document) {
        this.document = document;
    }

    /** Reads the description that a server hands out. */
    static DescribedSurface of(ReferenceServer server) {
        Answer description = RawConnection.once(server.base(), "GET /openapi.yaml HTTP/1.1", "");
        JsonNode document = MAPPER.valueToTree(new Yaml().load(description.text()));
        // The validator takes the type of what has bounds for one word.
        document.findParents("minimum").stream()
                .filter(bounded -> bounded.path("type").isArray())
                .map(ObjectNode.class::cast)
                .forEach(bounded -> {
                    ArrayNode types = bounded.putArray("anyOf");
                    bounded.remove("type").forEach(type -> types.addObject().set("type", type));
                });
        return new DescribedSurface(document);
    }

    /** Returns all paths with their methods. */
    Map<String, Set<String>> operations() {
        Map<String, Set<String>> operations = new TreeMap<>();
        document.path("paths").propertyStream().forEach(path -> {
            var methods = new TreeSet<>(path.getValue().propertyNames());
            methods.remove("parameters");
            methods.forEach(method -> operations
                    .computeIfAbsent(path.getKey(), key -> new TreeSet<>())
                    .add(method.toUpperCase(Locale.ROOT)));
        });
        return operations;
    }

    /** Returns the names of all operations. */
    List<String> operationIds() {
        return document.path("paths").findValuesAsString("operationId");
    }

    /** Returns what may be of several types, beside null. */
    List<JsonNode> ofSeveralTypes() {
        return document.findParents("type").stream()
                .filter(schema -> schema.path("type").isArray())
                .filter(schema -> schema.path("type")
                                .valueStream()
                                .filter(type -> !type.asString().equals("null"))
                                .count()
                        > 1)
                .toList();
    }

    /** Returns what is said of an operation. */
    Operation operationOf(String method, String path) {
        JsonNode operation = document.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
        Set<String> query = operation
                .path("parameters")
                .valueStream()
                .map(this::resolved)
                .filter(parameter -> parameter.path("in").asString().equals("query"))
                .map(parameter -> parameter.path("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> tokens = operation
                .path("security")
                .valueStream()
                .flatMap(
                        alternative -> alternative.isEmpty() ? Stream.of("none") : alternative.propertyNames().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        return new Operation(
                query,
                tokens,
                operation.has("requestBody"),
                operation.path("requestBody").path("required").asBoolean(false));
    }

    /**
     * What an operation says that it reads.
     *
     * @param query the names of the parameters in the query
     * @param tokens the kinds of tokens of which one is needed; {@code none} where it may be called without
     * @param hasBody whether a body is read
     * @param bodyRequired whether there has to be one
     */
    record Operation(Set<String> query, Set<String> tokens, boolean hasBody, boolean bodyRequired) {}

    /** Returns what has no words of its own: operations, their bodies, queries and answers, and the members of all bodies. */
    List<String> unexplained() {
        List<String> unexplained = new ArrayList<>();
        document.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .filter(operation -> isUnexplainedOperation(operation.getValue()))
                        .forEach(operation -> unexplained.add(operation.getKey() + " " + path.getKey())));
        document.path("components")
                .path("schemas")
                .propertyStream()
                .forEach(schema -> schema.getValue()
                        .path("properties")
                        .propertyStream()
                        .filter(member -> isUnexplained(member.getValue()))
                        .forEach(member -> unexplained.add(schema.getKey() + "." + member.getKey())));
        return unexplained;
    }

    private boolean isUnexplainedOperation(JsonNode operation) {
        Stream<JsonNode> query = operation
                .path("parameters")
                .valueStream()
                .filter(parameter -> resolved(parameter).path("in").asString().equals("query"));
        return blank(operation.path("summary"))
                || (operation.has("requestBody") && isUnexplained(operation.path("requestBody")))
                || Stream.concat(query, operation.path("responses").valueStream())
                        .anyMatch(this::isUnexplained);
    }

    private boolean isUnexplained(JsonNode node) {
        return blank(resolved(node).path("description"));
    }

    private static boolean blank(JsonNode text) {
        return text.asString("").isBlank();
    }

    /** Throws where an answer, or a request that was served, is not as described. */
    void check(String method, URI address, byte[] body, Answer answer) {
        if (method.equals("OPTIONS")) {
            return; // Asked by browsers, and answered by what stands before the surfaces.
        }
        boolean served = answer.status() < 400;
        String what = method + " " + address.getRawPath() + " was answered " + answer.status();
        JsonNode operation = operation(method, address.getRawPath());
        if (operation == null) {
            require(!served, what, "but is not described");
            return;
        }
        JsonNode response = operation.path("responses").path(Integer.toString(answer.status()));
        if (response.isMissingNode()) {
            require(!served, what, "but that status is not described");
            response = operation.path("responses").path("default");
            String others = resolved(response).path("description").asString("");
            require(others.contains(Integer.toString(answer.status())), what, "which is not among: " + others);
        }
        JsonNode content = resolved(response).path("content");
        if (answer.bytes().length > 0) {
            JsonNode type = content.path(answer.mediaType());
            require(!type.isMissingNode(), what, "as " + answer.mediaType() + ", which is not described");
            if (answer.mediaType().equals(JSON)) {
                check(type.path("schema"), answer.json(), what + ": " + answer.text());
            }
        } else {
            require(content.isEmpty() || answer.status() == 304, what, "without the body that is described");
        }
        JsonNode sent = operation.path("requestBody").path("content").path(JSON).path("schema");
        if (served && body.length > 0 && !sent.isMissingNode()) {
            check(sent, Json.read(body), what + ", though its body is not as described");
        }
    }

    private void check(JsonNode schema, JsonNode value, String what) {
        List<com.networknt.schema.Error> errors =
                schemas.computeIfAbsent(schema, this::compiled).validate(value);
        require(errors.isEmpty(), what, errors.toString());
    }

    /** A schema with all that it can refer to. */
    private Schema compiled(JsonNode schema) {
        ObjectNode whole = ((ObjectNode) schema).deepCopy();
        whole.set("components", document.path("components"));
        return SCHEMAS.getSchema(whole);
    }

    private @Nullable JsonNode operation(String method, String path) {
        return document.path("paths")
                .propertyStream()
                .filter(entry -> matches(entry.getKey(), path))
                .min(Comparator.comparing(entry -> entry.getKey().contains("{")))
                .map(entry -> entry.getValue().get(method.toLowerCase(Locale.ROOT)))
                .orElse(null);
    }

    private static boolean matches(String template, String path) {
        return Pattern.matches(template.replaceAll("\\{[a-z]+}", "[^/]+"), path);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asString().substring(1)) : node;
    }

    private static void require(boolean holds, String what, String problem) {
        if (!holds) {
            throw new AssertionError(what + ", " + problem);
        }
    }
}

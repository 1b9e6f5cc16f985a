package io.github.ratelimit.content.demo;

import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.widget.sync.DocumentDraft;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The content of the demonstration site, written through the interface. Its file calls terms by their names: ids are not known before. */
@Component
class DemoContent {
    private final Dispatcher interfaceOfSite;

    DemoContent(Dispatcher dispatcher) {
        this.interfaceOfSite = dispatcher;
    }

    /** What the assistant of the widget knows. */
    static List<DocumentDraft> documents() {
        return List.of(read("documents.json", DocumentDraft[].class));
    }

    /** Writes all of it, as an account that may. */
    void write(Caller author) {
        Map<String, JsonNode> ids = new HashMap<>();
        for (ObjectNode entry : read("content.json", ObjectNode[].class)) {
            String collection = entry.remove("collection").stringValue();
            String name = entry.path("name").asString(entry.path("title").asString(""));
            if (entry.remove("content") instanceof ArrayNode lines) {
                entry.put(
                        "content",
                        lines.valueStream().map(JsonNode::stringValue).collect(Collectors.joining("\n")));
            }
            for (String terms : List.of("categories", "tags")) {
                if (entry.remove(terms) instanceof ArrayNode names) {
                    ArrayNode list = entry.putArray(terms);
                    names.forEach(term -> list.add(ids.get(term.stringValue())));
                }
            }
            if (entry.has("parent")) {
                entry.set("parent", ids.get(entry.path("parent").stringValue()));
            }
            ids.put(name, create(author, collection, entry));
        }
    }

    private static <T> T read(String file, Class<T> type) {
        return JsonMapper.shared().readValue(Objects.requireNonNull(DemoContent.class.getResourceAsStream(file)), type);
    }

    private JsonNode create(Caller author, String collection, ObjectNode body) {
        RestRequest request =
                RestRequest.ofServer(RestMethod.POST, "/cms/v2/" + collection, author, "http://localhost", body);
        RestAnswer answer = interfaceOfSite.serve(request);
        JsonNode made = answer.body().tree();
        if (answer.isError()) {
            throw new IllegalStateException("the demonstration site cannot be made: " + made);
        }
        return made.path("id");
    }
}

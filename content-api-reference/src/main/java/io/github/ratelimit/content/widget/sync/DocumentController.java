package io.github.ratelimit.content.widget.sync;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.PlainText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Keeps a workspace's documents in step with its site. */
@ApiController
@RequestMapping(DocumentController.ROOT)
class DocumentController {
    static final String ROOT = "/v1/cms";

    /** In bytes, with a valid token. */
    private static final long LONGEST_BODY = 16L << 20;

    private static final int MAX_PER_PAGE = 100;
    // Chosen: a database counts through the rows before a page.
    private static final int MAX_OFFSET = 1_000_000;
    private static final String TOO_MANY = "must have at most {max} items";

    private final Documents documents;
    private final Validator validator;

    DocumentController(Documents documents, Validator validator) {
        this.documents = documents;
        this.validator = validator;
    }

    record Batch(
            @NotNull(message = "is required") @Size(max = 1000, message = TOO_MANY)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    record WholeSet(
            @NotNull(message = "is required") @Size(max = 10_000, message = TOO_MANY)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    record Ids(
            @NotNull(message = "is required")
            @Size(max = 1000, message = TOO_MANY)
            @JsonAlias("documents")
            @JsonDeserialize(contentUsing = Id.class)
            List<@NotBlank(message = "is required") @PlainText(max = DocumentDraft.MAX_ID) String> ids) {}

    /** Reads a text, a whole number, or the member {@code id} of an object. Anything else counts as missing. */
    static final class Id extends ValueDeserializer<String> {

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode sent = context.readTree(parser);
            JsonNode id = sent.isObject() ? sent.path("id") : sent;
            return id.isString() || id.isIntegralNumber() ? id.asString() : "";
        }
    }

    /** Comes after the limiters, so that they reject a request before its body is read. */
    @ModelAttribute
    void readBody(@RequestAttribute Workspaces.Token caller, HttpServletRequest request) throws IOException {
        io.github.ratelimit.content.server.http.RequestBody.read(request, LONGEST_BODY);
    }

    @PostMapping("/documents")
    Documents.Result upsert(@RequestAttribute Workspaces.Token caller, @Valid @RequestBody Batch batch) {
        return documents.upsert(caller.workspaceId(), batch.documents());
    }

    @PostMapping("/sync")
    Documents.Result sync(@RequestAttribute Workspaces.Token caller, @Valid @RequestBody WholeSet set) {
        return documents.reconcile(caller.workspaceId(), set.documents());
    }

    @GetMapping("/documents")
    Documents.Page list(
            @RequestAttribute Workspaces.Token caller,
            @RequestParam(defaultValue = "1") String page,
            @RequestParam(name = "per_page", defaultValue = "50") String perPage) {
        Map<String, String> problems = new TreeMap<>();
        int size = number("per_page", perPage, MAX_PER_PAGE, problems);
        int number = number("page", page, MAX_OFFSET / size, problems);
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        return documents.list(caller.workspaceId(), number, size);
    }

    @DeleteMapping("/documents")
    Documents.Result deleteAll(@RequestAttribute Workspaces.Token caller, @Valid @RequestBody Ids body) {
        return documents.delete(caller.workspaceId(), body.ids());
    }

    @GetMapping("/documents/{id}")
    Document get(@RequestAttribute Workspaces.Token caller, @PathVariable String id) {
        return documents.find(caller.workspaceId(), valid(id)).orElseThrow(DocumentController::noSuchDocument);
    }

    @DeleteMapping("/documents/{id}")
    Documents.Result delete(@RequestAttribute Workspaces.Token caller, @PathVariable String id) {
        Documents.Result result = documents.delete(caller.workspaceId(), List.of(valid(id)));
        if (result.deleted() == 0) {
            throw noSuchDocument();
        }
        return result;
    }

    /** For ids that a path cannot carry, such as {@code a/b} and {@code ..}. */
    @GetMapping(path = "/documents", params = "id")
    Document getByQuery(@RequestAttribute Workspaces.Token caller, HttpServletRequest request) {
        return get(caller, idOfQuery(request));
    }

    @DeleteMapping(path = "/documents", params = "id")
    Documents.Result deleteByQuery(@RequestAttribute Workspaces.Token caller, HttpServletRequest request) {
        return delete(caller, idOfQuery(request));
    }

    /** Everything else needs a token too, so that strangers learn no paths. */
    @RequestMapping({"", "/**"})
    void unknown(@RequestAttribute Workspaces.Token caller) {
        throw ApiException.notFound("There is nothing at this address.");
    }

    /** Spring would join several values by a comma, which an id may contain. */
    private static String idOfQuery(HttpServletRequest request) {
        String[] values = request.getParameterValues("id");
        if (values == null || values.length != 1) {
            throw ApiException.invalid(Map.of("id", "must be given once"));
        }
        return values[0];
    }

    private String valid(String id) {
        validator.validateValue(DocumentDraft.class, "id", id).forEach(problem -> {
            throw ApiException.invalid(Map.of("id", problem.getMessage()));
        });
        return id;
    }

    private static int number(String name, String value, int max, Map<String, String> problems) {
        int number = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > max) {
            problems.put(name, "must be a whole number from 1 to " + max);
            return 1;
        }
        return number;
    }

    private static ApiException noSuchDocument() {
        return ApiException.notFound("The workspace has no such document.");
    }
}

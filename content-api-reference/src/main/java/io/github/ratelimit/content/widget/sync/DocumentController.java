package io.github.ratelimit.content.widget.sync;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.JsonNode;

/** Keeps a workspace's documents in step with its site. */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping(DocumentController.ROOT)
class DocumentController {
    static final String ROOT = "/v1/cms";

    private static final int MAX_PER_PAGE = 100;
    // Chosen: a database counts through the rows before a page.
    private static final int MAX_OFFSET = 1_000_000;
    private static final String TOO_MANY = "must have at most {max} items";

    private final Documents documents;

    DocumentController(Documents documents) {
        this.documents = documents;
    }

    record Batch(
            @NotNull(message = "is required") @Size(max = 1000, message = TOO_MANY)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    record WholeSet(
            @NotNull(message = "is required") @Size(max = 10_000, message = TOO_MANY)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    /** Ids as texts or whole numbers, or objects with a member {@code id}. */
    record Ids(
            @NotNull(message = "is required") @Size(max = 1000, message = TOO_MANY) @JsonAlias("documents")
            List<JsonNode> ids) {}

    @PostMapping("/documents")
    Documents.Result upsert(WorkspaceToken caller, @Valid @RequestBody Batch batch) {
        return documents.upsert(caller.workspaceId(), batch.documents());
    }

    @PostMapping("/sync")
    Documents.Result sync(WorkspaceToken caller, @Valid @RequestBody WholeSet set) {
        return documents.reconcile(caller.workspaceId(), set.documents());
    }

    @GetMapping("/documents")
    Documents.Page list(
            WorkspaceToken caller,
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
    Documents.Result deleteAll(WorkspaceToken caller, @Valid @RequestBody Ids body) {
        List<String> ids = new ArrayList<>();
        Map<String, String> problems = new TreeMap<>();
        for (JsonNode each : body.ids()) {
            JsonNode id = each.isObject() ? each.path("id") : each;
            String text = id.isString() || id.isIntegralNumber() ? id.asString() : "";
            String problem = PlainText.Check.problem(text, Document.MAX_ID, true);
            if (problem != null) {
                problems.put("ids[" + ids.size() + "]", problem);
            }
            ids.add(text);
        }
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        return documents.delete(caller.workspaceId(), ids);
    }

    @GetMapping("/documents/{id}")
    Document get(WorkspaceToken caller, @PathVariable String id) {
        return documents.find(caller.workspaceId(), valid(id)).orElseThrow(DocumentController::noSuchDocument);
    }

    @DeleteMapping("/documents/{id}")
    Documents.Result delete(WorkspaceToken caller, @PathVariable String id) {
        Documents.Result result = documents.delete(caller.workspaceId(), List.of(valid(id)));
        if (result.deleted() == 0) {
            throw noSuchDocument();
        }
        return result;
    }

    /** For ids that a path cannot carry, such as {@code a/b} and {@code ..}. */
    @GetMapping(path = "/documents", params = "id")
    Document getByQuery(WorkspaceToken caller, HttpServletRequest request) {
        return get(caller, idOfQuery(request));
    }

    @DeleteMapping(path = "/documents", params = "id")
    Documents.Result deleteByQuery(WorkspaceToken caller, HttpServletRequest request) {
        return delete(caller, idOfQuery(request));
    }

    /** Everything else needs a token too, so that strangers learn no paths. */
    @RequestMapping({"", "/**"})
    void unknown(WorkspaceToken caller) {
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

    private static String valid(String id) {
        String problem = PlainText.Check.problem(id, Document.MAX_ID, true);
        if (problem != null) {
            throw ApiException.invalid(Map.of("id", problem));
        }
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

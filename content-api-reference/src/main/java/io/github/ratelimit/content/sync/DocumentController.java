package io.github.ratelimit.content.sync;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.github.ratelimit.content.api.ApiController;
import io.github.ratelimit.content.api.ApiException;
import io.github.ratelimit.content.api.Listing;
import io.github.ratelimit.content.api.PlainText;
import io.github.ratelimit.content.api.Slice;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.annotation.JsonDeserialize;

/** {@code /v1/cms/}: a site's plugin keeps its documents in step. */
@ApiController(maxBodyBytes = 16 * 1024 * 1024)
@RateLimit("cms-plugin")
@RequestMapping(DocumentController.ROOT)
class DocumentController {

    /** Where the surface is. */
    static final String ROOT = "/v1/cms";

    private static final int MOST_IN_BATCH = 1000;
    private static final int MOST_IN_SET = 10_000;

    private final Documents documents;

    DocumentController(Documents documents) {
        this.documents = documents;
    }

    /**
     * Some documents.
     *
     * @param documents to be added or replaced
     */
    record Batch(
            @NotNull(message = "is required") @Size(max = MOST_IN_BATCH, message = "must have at most 1000 items")
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    /**
     * All documents.
     *
     * @param documents the whole set; may be empty
     */
    record WholeSet(
            @NotNull(message = "is required") @Size(max = MOST_IN_SET, message = "must have at most 10000 items")
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    /**
     * What to delete.
     *
     * @param ids the documents' ids; or, as {@code documents}, the documents themselves, of which the id is read
     */
    record Ids(
            @NotNull(message = "is required")
            @Size(max = MOST_IN_BATCH, message = "must have at most 1000 items")
            @JsonAlias("documents")
            @JsonDeserialize(contentUsing = IdReference.class)
            List<@PlainText(max = 191, required = true) String> ids) {}

    @PostMapping("/documents")
    SyncResult upsert(WorkspaceToken caller, @Valid @RequestBody Batch batch) {
        return documents.upsert(caller.workspaceId(), batch.documents());
    }

    @GetMapping("/documents")
    Listing<Document> list(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = "per_page", required = false) @Nullable String perPage) {
        return documents.list(caller.workspaceId(), Slice.of(page, perPage));
    }

    @DeleteMapping("/documents")
    SyncResult delete(WorkspaceToken caller, @Valid @RequestBody Ids ids) {
        return documents.delete(caller.workspaceId(), ids.ids());
    }

    @GetMapping("/documents/{id}")
    Document get(WorkspaceToken caller, @PathVariable String id) {
        return documents.find(caller.workspaceId(), id).orElseThrow(DocumentController::noSuchDocument);
    }

    @DeleteMapping("/documents/{id}")
    SyncResult delete(WorkspaceToken caller, @PathVariable String id) {
        SyncResult result = documents.delete(caller.workspaceId(), List.of(id));
        if (result.deleted() == 0) {
            throw noSuchDocument();
        }
        return result;
    }

    @PostMapping("/sync")
    SyncResult sync(WorkspaceToken caller, @Valid @RequestBody WholeSet set) {
        return documents.reconcile(caller.workspaceId(), set.documents());
    }

    /** Everything else: answered only to who may call, so that nobody learns the surface by trying. */
    @RequestMapping({"", "/**"})
    void unknown(WorkspaceToken caller) {
        throw ApiException.notFound("There is nothing at this address.");
    }

    private static ApiException noSuchDocument() {
        return ApiException.notFound("The workspace has no such document.");
    }
}

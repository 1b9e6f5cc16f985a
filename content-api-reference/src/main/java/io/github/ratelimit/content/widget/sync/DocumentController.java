package io.github.ratelimit.content.widget.sync;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;

/** {@code /v1/cms/}: a site's plugin keeps its documents in step. */
@ApiController(maxBodyBytes = 16 * 1024 * 1024)
@RateLimit("cms-plugin")
@RequestMapping(DocumentController.ROOT)
class DocumentController {

    /** Where the surface is. */
    static final String ROOT = "/v1/cms";

    private static final int MAX_ID = 191;
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
            @NotNull(message = "is required")
            @JsonDeserialize(using = DraftsOfBatch.class)
            @ArraySchema(maxItems = MOST_IN_BATCH)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    /**
     * All documents.
     *
     * @param documents the whole set; may be empty
     */
    record WholeSet(
            @NotNull(message = "is required")
            @JsonDeserialize(using = DraftsOfSet.class)
            @ArraySchema(maxItems = MOST_IN_SET)
            List<@NotNull(message = "must be an object") @Valid DocumentDraft> documents) {}

    /**
     * What to delete.
     *
     * @param ids the documents' ids, texts or whole numbers; or, as {@code documents}, the documents themselves, of which the {@code id} is read
     */
    record Ids(
            @NotNull(message = "is required")
            @JsonAlias("documents")
            @JsonDeserialize(using = IdsOfBatch.class)
            @ArraySchema(
                    maxItems = MOST_IN_BATCH,
                    schema =
                            @Schema(
                                    types = {"string", "integer", "object"},
                                    requiredProperties = "id",
                                    maxLength = MAX_ID))
            List<@PlainText(max = 191, required = true) String> ids) {}

    private abstract static class Drafts extends BoundedList<DocumentDraft> {
        Drafts(int most) {
            super("documents", most);
        }

        @Override
        DocumentDraft item(JsonParser parser, DeserializationContext context) {
            return context.readValue(parser, DocumentDraft.class);
        }
    }

    private static final class DraftsOfBatch extends Drafts {
        DraftsOfBatch() {
            super(MOST_IN_BATCH);
        }
    }

    private static final class DraftsOfSet extends Drafts {
        DraftsOfSet() {
            super(MOST_IN_SET);
        }
    }

    private static final class IdsOfBatch extends BoundedList<String> {
        private static final IdReference ITEM = new IdReference();

        IdsOfBatch() {
            super("ids", MOST_IN_BATCH);
        }

        @Override
        String item(JsonParser parser, DeserializationContext context) {
            return ITEM.deserialize(parser, context);
        }
    }

    /** Adds or replaces documents. */
    @PostMapping("/documents")
    @Refuses(413)
    SyncResult upsertDocuments(WorkspaceToken caller, @Valid @RequestBody Batch batch) {
        return documents.upsert(caller.workspaceId(), batch.documents());
    }

    /**
     * Shows documents by id, or the one that {@code id} names. With {@code id}, for ids that no path can carry, the answer is that document alone.
     *
     * @param search documents with all of these words; a word also finds longer ones that begin with it
     * @param updatedAfter a moment with a zone, like {@code 2026-01-31T10:00:00Z}; says nothing about what was deleted since
     */
    @GetMapping("/documents")
    @ApiResponse(responseCode = "200")
    @ApiResponse(responseCode = "304", content = @Content)
    @Refuses(404)
    ResponseEntity<Listing<Document>> documents(
            WorkspaceToken caller,
            Slice slice,
            @RequestParam(required = false) @Nullable String search,
            @RequestParam(name = "updated_after", required = false) @Nullable String updatedAfter) {
        DocumentFilter wanted = DocumentFilter.of(search, updatedAfter);
        // Read before the documents: a change in between makes the tag too old, never too new.
        long revision = documents.revision(caller.workspaceId());
        return ResponseEntity.ok()
                .eTag(Digest.of(caller.workspaceId(), Long.toString(revision), slice.toString(), wanted.toString()))
                .body(documents.list(caller.workspaceId(), wanted, slice));
    }

    /**
     * Deletes the documents that the body names, or the one that {@code id} names. One of the two is needed. Only with {@code id} a document
     * that is not there is 404.
     *
     * @param ids what to delete; not read where {@code id} names it
     */
    @DeleteMapping("/documents")
    @Refuses({404, 413})
    SyncResult deleteDocuments(WorkspaceToken caller, @Valid @RequestBody Ids ids) {
        return documents.delete(caller.workspaceId(), ids.ids());
    }

    /** Shows a document. */
    @GetMapping("/documents/{id}")
    @ApiResponse(responseCode = "200")
    @ApiResponse(responseCode = "304", content = @Content)
    ResponseEntity<Document> document(
            WorkspaceToken caller,
            @Parameter(schema = @Schema(minLength = 1, maxLength = MAX_ID)) @PathVariable String id) {
        Document document =
                documents.find(caller.workspaceId(), fitting(id)).orElseThrow(DocumentController::noSuchDocument);
        return ResponseEntity.ok()
                .eTag(Digest.of(
                        document.id(),
                        document.title(),
                        document.content(),
                        String.valueOf(document.url()),
                        document.createdAt().toString(),
                        document.updatedAt().toString()))
                .body(document);
    }

    /** For ids that no path can carry, such as {@code a/b}, {@code ..} and {@code 50%}. */
    @GetMapping(path = "/documents", params = "id")
    @Parameter(
            name = "id",
            in = ParameterIn.QUERY,
            description = "The document that is shown; nothing else of the query is read then",
            schema = @Schema(type = "string", minLength = 1, maxLength = MAX_ID))
    ResponseEntity<Document> getByQuery(WorkspaceToken caller, HttpServletRequest request) {
        return document(caller, idOfQuery(request));
    }

    @DeleteMapping(path = "/documents", params = "id")
    @Parameter(
            name = "id",
            in = ParameterIn.QUERY,
            description = "The document that is deleted; the body is not read then",
            schema = @Schema(type = "string", minLength = 1, maxLength = MAX_ID))
    SyncResult deleteByQuery(WorkspaceToken caller, HttpServletRequest request) {
        return deleteDocument(caller, idOfQuery(request));
    }

    /** Not bound by Spring, which joins several values by a comma: an id may have commas. */
    private static String idOfQuery(HttpServletRequest request) {
        String[] values = request.getParameterValues("id");
        if (values == null || values.length != 1) {
            throw ApiException.invalid(Map.of("id", "must be given once"));
        }
        return fitting(values[0]);
    }

    private static String fitting(String id) {
        String problem = PlainText.Check.problem(id, MAX_ID, true);
        if (problem != null) {
            throw ApiException.invalid(Map.of("id", problem));
        }
        return id;
    }

    /** Deletes a document. */
    @DeleteMapping("/documents/{id}")
    SyncResult deleteDocument(
            WorkspaceToken caller,
            @Parameter(schema = @Schema(minLength = 1, maxLength = MAX_ID)) @PathVariable String id) {
        SyncResult result = documents.delete(caller.workspaceId(), List.of(fitting(id)));
        if (result.deleted() == 0) {
            throw noSuchDocument();
        }
        return result;
    }

    /** Makes the workspace's documents exactly these. */
    @PostMapping("/sync")
    @Refuses(413)
    SyncResult sync(WorkspaceToken caller, @Valid @RequestBody WholeSet set) {
        return documents.reconcile(caller.workspaceId(), set.documents());
    }

    /** Everything else: answered only to who may call, so that nobody learns the surface by trying. */
    @Hidden
    @RequestMapping({"", "/**"})
    void unknown(WorkspaceToken caller) {
        throw ApiException.notFound("There is nothing at this address.");
    }

    private static ApiException noSuchDocument() {
        return ApiException.notFound("The workspace has no such document.");
    }
}

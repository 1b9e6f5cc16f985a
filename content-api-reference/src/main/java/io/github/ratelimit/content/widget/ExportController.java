package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.ratelimit.content.shared.limit.WorkBudget;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.sync.Document;
import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hands a site all that the server holds of its workspace but tokens, as one JSON object a line.
 *
 * <p>Read and written piece by piece: neither the size of a workspace nor that of a conversation takes memory. What
 * changes meanwhile may be in it or not. The last line says how much there was; without it the export is not whole.
 */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping("/v1/cms/export")
class ExportController {

    private static final Logger log = LoggerFactory.getLogger(ExportController.class);
    private static final int PAGE = 200;
    // A document may have 200000 characters.
    private static final int DOCUMENTS_PAGE = 20;

    private final Documents documents;
    private final Origins origins;
    private final Coupons coupons;
    private final ConversationStore conversations;
    private final EventStore events;
    private final LeadStore leads;
    private final RatingStore ratings;
    private final JsonMapper mapper;
    private final WorkBudget work;
    private final Set<String> running = ConcurrentHashMap.newKeySet();

    ExportController(
            Documents documents,
            Origins origins,
            Coupons coupons,
            ConversationStore conversations,
            EventStore events,
            LeadStore leads,
            RatingStore ratings,
            JsonMapper mapper,
            WorkBudget work) {
        this.documents = documents;
        this.origins = origins;
        this.coupons = coupons;
        this.conversations = conversations;
        this.events = events;
        this.leads = leads;
        this.ratings = ratings;
        this.mapper = mapper;
        this.work = work;
    }

    /**
     * A line.
     *
     * @param type what it is
     * @param data the same as the lists of that type show
     */
    record Line(String type, Object data) {}

    /**
     * A message, which elsewhere is shown within its conversation.
     *
     * @param conversationId the conversation
     * @param message the message
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record MessageOf(UUID conversationId, @JsonUnwrapped Message message) {}

    /**
     * The last line's data.
     *
     * @param lines how many there were before
     */
    record End(long lines) {}

    /** Shows all that is held of the workspace but tokens. */
    @GetMapping
    @ApiResponse(
            responseCode = "200",
            description =
                    "One JSON object a line, `{\"type\", \"data\"}`. The last one's type is `end`; without it the export is not whole.",
            content = @Content(mediaType = "application/x-ndjson", schema = @Schema(type = "string")))
    @Refuses(409)
    void export(WorkspaceToken caller, HttpServletResponse response) {
        String workspace = caller.workspaceId();
        // One at a time: the limit counts requests, and one of these can be worth thousands.
        if (!running.add(workspace)) {
            throw ApiException.of(
                    HttpStatus.CONFLICT,
                    "export_running",
                    "An export of the workspace is under way. Wait for its end.");
        }
        try {
            documents.count(workspace, DOCUMENTS_PAGE);
            response.setContentType("application/x-ndjson");
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"export.ndjson\"");
            var lines = new Lines(response.getOutputStream());
            write(workspace, lines);
            lines.add("end", new End(lines.count));
        } catch (IOException e) {
            log.debug("the reader of an export is gone", e);
        } finally {
            running.remove(workspace);
        }
    }

    private void write(String workspace, Lines lines) throws IOException {
        for (String origin : origins.of(workspace)) {
            lines.add("origin", origin);
        }
        lines.all("document", "", last -> documents.after(workspace, last, DOCUMENTS_PAGE), Document::id);
        lines.all("coupon", "", last -> coupons.after(workspace, last, PAGE), Coupon::code);
        lines.all(
                "coupon_application",
                Position.START,
                last -> coupons.applicationsAfter(workspace, last, PAGE),
                applied -> new Position(applied.appliedAt(), applied.id()));
        lines.all(
                "rating",
                Position.START,
                last -> ratings.after(workspace, last, PAGE),
                rating -> new Position(rating.createdAt(), rating.id()));
        Position last = Position.START;
        List<Conversation> page = conversations.after(workspace, last, PAGE);
        while (!page.isEmpty()) {
            for (Conversation conversation : page) {
                lines.add("conversation", conversation);
                writeWhatIsIn(conversation.id(), lines);
                last = new Position(conversation.createdAt(), conversation.id());
            }
            page = conversations.after(workspace, last, PAGE);
        }
    }

    private void writeWhatIsIn(UUID conversation, Lines lines) throws IOException {
        lines.all(
                "message",
                new UUID(0, 0),
                last -> conversations.messagesAfter(conversation, last, PAGE).stream()
                        .map(message -> new MessageOf(conversation, message))
                        .toList(),
                message -> message.message().id());
        lines.all(
                "feedback",
                Position.START,
                last -> conversations.feedbackAfter(conversation, last, PAGE),
                feedback -> new Position(feedback.createdAt(), feedback.id()));
        lines.all(
                "event",
                Position.START,
                last -> events.after(conversation, last, PAGE),
                event -> new Position(event.createdAt(), event.id()));
        lines.all(
                "lead",
                Position.START,
                last -> leads.after(conversation, last, PAGE),
                lead -> new Position(lead.createdAt(), lead.id()));
    }

    private final class Lines {

        private final OutputStream out;
        private long count;

        Lines(OutputStream out) {
            this.out = out;
        }

        void add(String type, Object data) throws IOException {
            out.write(mapper.writeValueAsBytes(new Line(type, data)));
            out.write('\n');
            count++;
            work.renew();
        }

        <T, P> void all(String type, P start, Function<P, List<T>> pages, Function<T, P> position) throws IOException {
            P last = start;
            List<T> page = pages.apply(last);
            while (!page.isEmpty()) {
                for (T entry : page) {
                    add(type, entry);
                    last = position.apply(entry);
                }
                page = pages.apply(last);
            }
        }
    }
}

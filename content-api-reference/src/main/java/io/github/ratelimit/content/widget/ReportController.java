package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Shows a site what visitors left in its widget, newest first, and erases it where they ask for it. Part of the bulk-sync surface. */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping("/v1/cms")
class ReportController {

    private static final int MAX_NAME = 500;

    private final Conversations conversations;
    private final LeadStore leads;
    private final EventStore events;
    private final RatingStore ratings;
    private final JsonText json;

    ReportController(
            Conversations conversations, LeadStore leads, EventStore events, RatingStore ratings, JsonText json) {
        this.conversations = conversations;
        this.leads = leads;
        this.events = events;
        this.ratings = ratings;
        this.json = json;
    }

    /** Shows conversations, newest first. */
    @GetMapping("/conversations")
    Listing<Conversation> conversations(WorkspaceToken caller, Slice slice) {
        return conversations.list(caller.workspaceId(), slice);
    }

    /** Shows leads, newest first. */
    @GetMapping("/leads")
    Listing<Lead> leads(WorkspaceToken caller, Slice slice) {
        return leads.list(caller.workspaceId(), slice);
    }

    /** Shows events, newest first. */
    @GetMapping("/events")
    Listing<Event> events(WorkspaceToken caller, Slice slice) {
        return events.list(caller.workspaceId(), slice);
    }

    /** Shows ratings, newest first. */
    @GetMapping("/ratings")
    Listing<Rating> ratings(WorkspaceToken caller, Slice slice) {
        return ratings.list(caller.workspaceId(), slice);
    }

    /** Shows feedback on messages, newest first. */
    @GetMapping("/feedback")
    Listing<Feedback> feedback(WorkspaceToken caller, Slice slice) {
        return conversations.feedback(caller.workspaceId(), slice);
    }

    /** Shows a conversation. */
    @GetMapping("/conversations/{id}")
    Conversation conversationOfSite(WorkspaceToken caller, @PathVariable String id) {
        return conversations.get(caller.workspaceId(), conversationId(id));
    }

    /** Shows all messages of a conversation, oldest first: so a page stays what it is while the conversation goes on. */
    @GetMapping("/conversations/{id}/messages")
    Listing<Message> messagesOfSite(WorkspaceToken caller, @PathVariable String id, Slice slice) {
        return conversations.messages(caller.workspaceId(), conversationId(id), slice);
    }

    /** Erases a conversation and all that is in it. */
    @DeleteMapping("/conversations/{id}")
    @Refuses(409)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void eraseConversationOfSite(WorkspaceToken caller, @PathVariable String id) {
        conversations.erase(caller.workspaceId(), conversationId(id));
    }

    /**
     * How much was erased.
     *
     * @param conversations that are gone with all that was in them
     */
    record Erased(@Schema(minimum = "0") int conversations) {}

    /**
     * Erases what a visitor left, by address or by the page's name of them. One of the two is needed.
     *
     * @param email conversations with a lead of this address
     * @param visitor conversations that {@code init} was told this {@code visitor} for
     */
    @DeleteMapping("/visitors")
    Erased eraseVisitor(
            WorkspaceToken caller,
            @Parameter(schema = @Schema(maxLength = MAX_NAME)) @RequestParam(required = false) @Nullable String email,
            @Parameter(schema = @Schema(maxLength = MAX_NAME)) @RequestParam(required = false) @Nullable
                    String visitor) {
        Map<String, String> problems = new TreeMap<>();
        check("email", email, problems);
        check("visitor", visitor, problems);
        if (email == null && visitor == null) {
            problems.put("email", "it or visitor is required");
        }
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        return new Erased(
                conversations.eraseAll(caller.workspaceId(), email, visitor == null ? null : json.of(visitor)));
    }

    private static void check(String name, @Nullable String value, Map<String, String> problems) {
        String problem = value == null ? null : PlainText.Check.problem(value, MAX_NAME, true);
        if (problem != null) {
            problems.put(name, problem);
        }
    }

    private static UUID conversationId(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw ApiException.notFound("The workspace has no such conversation.");
        }
    }
}

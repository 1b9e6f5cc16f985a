package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
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

    @GetMapping("/conversations")
    Listing<Conversation> conversations(WorkspaceToken caller, Slice slice) {
        return conversations.list(caller.workspaceId(), slice);
    }

    @GetMapping("/leads")
    Listing<Lead> leads(WorkspaceToken caller, Slice slice) {
        return leads.list(caller.workspaceId(), slice);
    }

    @GetMapping("/events")
    Listing<Event> events(WorkspaceToken caller, Slice slice) {
        return events.list(caller.workspaceId(), slice);
    }

    @GetMapping("/ratings")
    Listing<Rating> ratings(WorkspaceToken caller, Slice slice) {
        return ratings.list(caller.workspaceId(), slice);
    }

    @GetMapping("/feedback")
    Listing<Feedback> feedback(WorkspaceToken caller, Slice slice) {
        return conversations.feedback(caller.workspaceId(), slice);
    }

    @GetMapping("/conversations/{id}")
    Conversation conversation(WorkspaceToken caller, @PathVariable String id) {
        return conversations.get(caller.workspaceId(), conversationId(id));
    }

    /** Oldest first, unlike the rest: so a page stays what it is while the conversation goes on. */
    @GetMapping("/conversations/{id}/messages")
    Listing<Message> messages(WorkspaceToken caller, @PathVariable String id, Slice slice) {
        return conversations.messages(caller.workspaceId(), conversationId(id), slice);
    }

    @DeleteMapping("/conversations/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void erase(WorkspaceToken caller, @PathVariable String id) {
        conversations.erase(caller.workspaceId(), conversationId(id));
    }

    /**
     * How much was erased.
     *
     * @param conversations that are gone with all that was in them
     */
    record Erased(int conversations) {}

    /** Erases what visitors left who ask for it by what they are known by: their address, or the page's name of them. */
    @DeleteMapping("/visitors")
    Erased eraseVisitor(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String email,
            @RequestParam(required = false) @Nullable String visitor) {
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

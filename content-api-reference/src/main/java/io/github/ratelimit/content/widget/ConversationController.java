package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiError;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All that a visitor does within a conversation. */
@ApiController
@RateLimit("widget-session")
@RequestMapping(WidgetConfiguration.ROOT)
class ConversationController {

    private static final Logger log = LoggerFactory.getLogger(ConversationController.class);
    // Chosen: what a widget shows without scrolling far.
    private static final int SHOWN_MESSAGES = 100;
    private static final int MAX_PROPERTIES = 20_000;

    private final Conversations conversations;
    private final EventStore events;
    private final JsonText json;
    private final JsonMapper mapper;

    ConversationController(Conversations conversations, EventStore events, JsonText json, JsonMapper mapper) {
        this.conversations = conversations;
        this.events = events;
        this.json = json;
        this.mapper = mapper;
    }

    /**
     * A visitor's message.
     *
     * @param text plain text
     */
    record NewMessage(
            @PlainText(max = 4000, required = true) String text) {}

    /**
     * What a visitor thinks of a message.
     *
     * @param helpful whether it helped
     * @param comment plain text
     */
    record NewFeedback(
            @Nullable Boolean helpful,
            @PlainText(max = 2000) @Nullable String comment) {}

    /**
     * Something that happened in the widget.
     *
     * @param name what happened
     * @param properties details; at most 20000 characters as JSON
     */
    record NewEvent(
            @PlainText(max = 100, required = true) String name,
            @Schema(types = "object") @Nullable JsonNode properties) {}

    /**
     * A new title.
     *
     * @param title plain text; null takes the title away
     */
    record NewTitle(
            @PlainText(max = 200) @JsonAlias("name") @Nullable
            String title) {}

    /**
     * A conversation with its newest messages.
     *
     * @param conversation the conversation
     * @param messages oldest first
     */
    record ConversationWithMessages(
            @JsonUnwrapped Conversation conversation,
            @ArraySchema(maxItems = SHOWN_MESSAGES) List<Message> messages) {}

    /**
     * Says something, and is answered. Who prefers {@code text/event-stream} reads the answer while it is made; the status is told before
     * it is known, so what goes wrong from then on is an event as well.
     */
    @PostMapping("/messages")
    @ApiResponse(responseCode = "201")
    @ApiResponse(
            responseCode = "200",
            description = "The events `message`, `piece` (once or more, `{\"text\"}`) and `answer`, or `error`",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = "string")))
    @Refuses(409)
    @Nullable
    ResponseEntity<Conversations.Exchange> say(
            VisitorSession caller,
            @Valid @RequestBody NewMessage message,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!EventStream.isPreferred(request)) {
            return ResponseEntity.status(HttpStatus.CREATED).body(conversations.say(caller, message.text()));
        }
        var events = new EventStream(response, mapper);
        try {
            Conversations.Exchange exchange = conversations.say(
                    caller,
                    message.text(),
                    begun -> events.send("message", begun),
                    piece -> events.send("piece", new Piece(piece)));
            events.send("answer", exchange.answer());
        } catch (RuntimeException e) {
            Causes.requireMemory(e);
            if (!events.isBegun()) {
                throw e;
            }
            request.setAttribute(RepeatedRequests.FAILED_ATTRIBUTE, true);
            events.send(
                    "error",
                    ApiError.of(
                            e instanceof ApiException told
                                    ? told
                                    : ApiException.passing(e).orElseGet(() -> fault(e))));
        }
        return null;
    }

    private static ApiException fault(RuntimeException cause) {
        log.error("answer failed", cause);
        return ApiException.of(
                HttpStatus.INTERNAL_SERVER_ERROR, "internal_error", "Something went wrong on the server.");
    }

    /**
     * A piece of an answer.
     *
     * @param text follows on that of the piece before
     */
    record Piece(String text) {}

    /** Says whether a message helped. */
    @PostMapping("/messages/{id}/feedback")
    @ResponseStatus(HttpStatus.CREATED)
    Feedback rateMessage(
            VisitorSession caller,
            @PathVariable String id,
            @Valid @RequestBody(required = false) @Nullable NewFeedback feedback) {
        var given = feedback == null ? new NewFeedback(null, null) : feedback;
        return conversations.rate(caller, messageId(id), given.helpful(), given.comment());
    }

    /** Reports what happened in the widget. */
    @PostMapping("/events")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Event reportEvent(VisitorSession caller, @Valid @RequestBody NewEvent event) {
        String properties = json.of("properties", event.properties(), false, MAX_PROPERTIES);
        return conversations.leave(
                caller.conversationId(),
                () -> events.add(caller.conversationId(), event.name(), properties == null ? "{}" : properties));
    }

    /** Shows the conversation and its newest 100 messages. */
    @GetMapping("/conversation")
    ConversationWithMessages conversation(VisitorSession caller) {
        return shown(caller, conversations.get(caller));
    }

    /** Shows all messages, oldest first: so a page stays what it is. */
    @GetMapping("/conversation/messages")
    Listing<Message> messages(VisitorSession caller, Slice slice) {
        return conversations.messages(caller, slice);
    }

    /** Erases all that the visitor left. Tokens of the conversation open nothing any more. */
    @PostMapping("/conversation/erase")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void eraseConversation(VisitorSession caller) {
        conversations.erase(caller);
    }

    /** Takes no more messages. */
    @PostMapping("/conversation/close")
    ConversationWithMessages closeConversation(VisitorSession caller) {
        return shown(caller, conversations.setStatus(caller, Conversation.Status.CLOSED));
    }

    /** Takes messages again. */
    @PostMapping("/conversation/reopen")
    ConversationWithMessages reopenConversation(VisitorSession caller) {
        return shown(caller, conversations.setStatus(caller, Conversation.Status.OPEN));
    }

    /** Gives the conversation a title, or takes it away. */
    @PostMapping("/conversation/rename")
    ConversationWithMessages renameConversation(
            VisitorSession caller, @Valid @RequestBody(required = false) @Nullable NewTitle title) {
        return shown(caller, conversations.rename(caller, title == null ? null : title.title()));
    }

    private ConversationWithMessages shown(VisitorSession caller, Conversation conversation) {
        return new ConversationWithMessages(conversation, conversations.newestMessages(caller, SHOWN_MESSAGES));
    }

    private static UUID messageId(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw ApiException.notFound("The conversation has no such message.");
        }
    }
}

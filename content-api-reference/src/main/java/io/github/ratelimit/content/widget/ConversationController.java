package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.PlainText;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.JsonNode;

/** A visitor's requests within a conversation. */
@ApiController
@RequestMapping(WidgetConfiguration.ROOT)
class ConversationController {
    // Chosen: as many as a widget shows without much scrolling.
    private static final int SHOWN_MESSAGES = 100;
    private static final int MAX_PROPERTIES = 20_000;

    private final Conversations conversations;
    private final JsonText json;

    ConversationController(Conversations conversations, JsonText json) {
        this.conversations = conversations;
        this.json = json;
    }

    record NewMessage(
            @NotBlank(message = "is required") @PlainText(max = 4000)
            String text) {}

    record NewFeedback(
            @Nullable Boolean helpful,
            @PlainText(max = 2000) @Nullable String comment) {}

    record NewEvent(
            @NotBlank(message = "is required") @PlainText(max = 100)
            String name,

            @Nullable JsonNode properties) {}

    record NewTitle(
            @PlainText(max = 200) @JsonAlias("name") @Nullable
            String title) {}

    record ConversationWithMessages(@JsonUnwrapped Conversation conversation, List<Conversation.Message> messages) {}

    @PostMapping("/messages")
    @ResponseStatus(HttpStatus.CREATED)
    Conversations.Exchange say(@RequestAttribute VisitorTokens.Session caller, @Valid @RequestBody NewMessage message) {
        return conversations.say(caller, message.text());
    }

    @PostMapping("/messages/{id}/feedback")
    @ResponseStatus(HttpStatus.CREATED)
    Conversation.Feedback rateMessage(
            @RequestAttribute VisitorTokens.Session caller,
            @PathVariable String id,
            @Valid @RequestBody(required = false) @Nullable NewFeedback feedback) {
        var given = feedback == null ? new NewFeedback(null, null) : feedback;
        return conversations.rate(caller, messageId(id), given.helpful(), given.comment());
    }

    @PostMapping("/events")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Conversation.Event reportEvent(@RequestAttribute VisitorTokens.Session caller, @Valid @RequestBody NewEvent event) {
        String properties = json.of("properties", event.properties(), false, MAX_PROPERTIES);
        return conversations.report(caller, event.name(), properties == null ? "{}" : properties);
    }

    @GetMapping("/conversation")
    ConversationWithMessages conversation(@RequestAttribute VisitorTokens.Session caller) {
        return shown(caller, conversations.get(caller));
    }

    @PostMapping("/conversation/close")
    ConversationWithMessages close(@RequestAttribute VisitorTokens.Session caller) {
        return shown(caller, conversations.setStatus(caller, Conversation.CLOSED));
    }

    @PostMapping("/conversation/reopen")
    ConversationWithMessages reopen(@RequestAttribute VisitorTokens.Session caller) {
        return shown(caller, conversations.setStatus(caller, Conversation.OPEN));
    }

    @PostMapping("/conversation/rename")
    ConversationWithMessages rename(
            @RequestAttribute VisitorTokens.Session caller,
            @Valid @RequestBody(required = false) @Nullable NewTitle title) {
        return shown(caller, conversations.rename(caller, title == null ? null : title.title()));
    }

    @PostMapping("/conversation/erase")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void erase(@RequestAttribute VisitorTokens.Session caller) {
        conversations.erase(caller);
    }

    private ConversationWithMessages shown(VisitorTokens.Session caller, Conversation conversation) {
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

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.BearerToken;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Begins a conversation, or goes on with one whose token is shown, and hands out the token for it. */
@ApiController
@RateLimit("widget-init")
@RequestMapping(WidgetConfiguration.ROOT)
class InitController {

    private static final int MAX_LENGTH = 4000;

    private final Conversations conversations;
    private final VisitorTokens tokens;
    private final JsonText json;
    private final Origins origins;
    private final Quota quota;

    InitController(
            Conversations conversations,
            VisitorTokens tokens,
            JsonText json,
            Origins origins,
            @Qualifier("widgetConversations") Quota quota) {
        this.quota = quota;
        this.conversations = conversations;
        this.tokens = tokens;
        this.json = json;
        this.origins = origins;
    }

    /**
     * What a page says when its widget starts.
     *
     * @param visitor who is looking, as far as the page knows: text or an object, at most 4000 characters as JSON; proves nothing
     * @param page what is looked at: an address, which is text, or an object, at most 4000 characters as JSON
     * @param workspace the site that the widget belongs to; the oldest one where it is missing
     */
    record Start(
            @Schema(types = {"string", "object"}) @Nullable JsonNode visitor,
            @Schema(types = {"string", "object"}) @Nullable JsonNode page,
            @PlainText(max = 64) @Nullable String workspace) {}

    /**
     * What the widget keeps.
     *
     * @param token proves the conversation: {@code Authorization: Bearer <token>}
     * @param expiresAt when the token ends
     * @param conversationId the conversation's id
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Started(String token, Instant expiresAt, UUID conversationId) {}

    /** Begins a conversation, or goes on with the one whose token is shown. */
    @PostMapping("/init")
    Started init(
            @Valid @RequestBody(required = false) @Nullable Start start,
            HttpServletRequest request,
            HttpServletResponse response) {
        var given = start == null ? new Start(null, null, null) : start;
        String visitor = json.of("visitor", given.visitor(), true, MAX_LENGTH);
        String page = json.of("page", given.page(), true, MAX_LENGTH);
        // A token that is not good any more is no mistake here: the visitor gets a new conversation.
        Conversation conversation = BearerToken.of(request)
                .flatMap(tokens::renewable)
                .flatMap(session -> conversations.resume(session, given.workspace()))
                .orElseGet(() -> {
                    quota.take(request, response, 1);
                    return conversations.begin(given.workspace(), visitor, page);
                });
        origins.confine(conversations.workspaceOf(conversation), request, response);
        VisitorTokens.Issued issued = tokens.issue(new VisitorSession(conversation.id()));
        return new Started(issued.token(), issued.expiresAt(), conversation.id());
    }
}

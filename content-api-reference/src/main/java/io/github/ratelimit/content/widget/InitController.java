package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiController;
import io.github.ratelimit.content.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Begins a conversation and hands out the token for it. */
@ApiController
@RateLimit("widget-init")
@RequestMapping(WidgetConfiguration.ROOT)
class InitController {

    private static final int MAX_LENGTH = 4000;

    private final Conversations conversations;
    private final VisitorTokens tokens;
    private final JsonText json;

    InitController(Conversations conversations, VisitorTokens tokens, JsonText json) {
        this.conversations = conversations;
        this.tokens = tokens;
        this.json = json;
    }

    /**
     * What a page says when its widget starts.
     *
     * @param visitor who is looking, as far as the page knows: text or an object; proves nothing
     * @param page what is looked at: an address or an object
     * @param workspace the site that the widget belongs to; the oldest one where it is missing
     */
    record Start(
            @Nullable JsonNode visitor,
            @Nullable JsonNode page,
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

    @PostMapping("/init")
    Started init(@Valid @RequestBody(required = false) @Nullable Start start) {
        var given = start == null ? new Start(null, null, null) : start;
        Conversation conversation = conversations.begin(
                given.workspace(),
                json.of("visitor", given.visitor(), true, MAX_LENGTH),
                json.of("page", given.page(), true, MAX_LENGTH));
        VisitorTokens.Issued issued = tokens.issue(new VisitorSession(conversation.id()));
        return new Started(issued.token(), issued.expiresAt(), conversation.id());
    }
}

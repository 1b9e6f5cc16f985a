package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
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

/** Begins a conversation and issues its token. */
@ApiController
@RateLimit("widget-init")
@RequestMapping(WidgetConfiguration.ROOT + "/init")
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

    /** What a page sends when its widget starts; {@code visitor} and {@code page} are a string or an object. */
    record Start(
            @Nullable JsonNode visitor,
            @Nullable JsonNode page,
            @PlainText(max = 64) @Nullable String workspace) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Started(String token, Instant expiresAt, UUID conversationId) {}

    @PostMapping
    Started init(@Valid @RequestBody(required = false) @Nullable Start start) {
        var given = start == null ? new Start(null, null, null) : start;
        String visitor = json.of("visitor", given.visitor(), true, MAX_LENGTH);
        String page = json.of("page", given.page(), true, MAX_LENGTH);
        Conversation conversation = conversations.begin(given.workspace(), visitor, page);
        VisitorTokens.Issued issued = tokens.issue(new VisitorSession(conversation.id()));
        return new Started(issued.token(), issued.expiresAt(), conversation.id());
    }
}

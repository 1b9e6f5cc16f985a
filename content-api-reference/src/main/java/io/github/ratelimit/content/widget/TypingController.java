package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.spring.RateLimit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes typing pings. The conversation of a token records its last one. */
@ApiController
@RateLimit(permits = 600, window = "1m", key = "client-address", name = "typing")
@RequestMapping(WidgetConfiguration.ROOT + "/typing")
class TypingController {
    private final Conversations conversations;

    TypingController(Conversations conversations) {
        this.conversations = conversations;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void typing(Optional<VisitorSession> caller, @RequestBody(required = false) @Nullable Map<String, Object> ignored) {
        caller.ifPresent(conversations::typing);
    }
}

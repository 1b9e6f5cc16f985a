package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.spring.RateLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes typing pings. With a token the conversation remembers the last one; without, there is nothing to remember. */
@ApiController
@RateLimit(permits = 600, window = "1m", key = "client-address", name = "typing")
@RequestMapping(WidgetConfiguration.ROOT + "/typing")
class TypingController {

    private final Conversations conversations;

    TypingController(Conversations conversations) {
        this.conversations = conversations;
    }

    /**
     * Says that the visitor is typing.
     *
     * @param ignored any object, or none; nothing in it is read
     */
    @PostMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void typing(
            @RequestAttribute(name = VisitorSession.PROOF_ATTRIBUTE, required = false) @Nullable VisitorSession caller,
            @RequestBody(required = false) @Nullable Map<String, Object> ignored) {
        if (caller != null) {
            conversations.typing(caller);
        }
    }
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.JsonNode;

/** What a widget does besides its conversation, each with a limit of its own. */
@ApiController
@RequestMapping(WidgetConfiguration.ROOT)
class WidgetController {
    private static final int MAX_LENGTH = 4000;

    private final Conversations conversations;
    private final VisitorTokens tokens;
    private final Coupons coupons;
    private final JsonText json;

    WidgetController(Conversations conversations, VisitorTokens tokens, Coupons coupons, JsonText json) {
        this.conversations = conversations;
        this.tokens = tokens;
        this.coupons = coupons;
        this.json = json;
    }

    /** What a page sends when its widget starts; {@code visitor} and {@code page} are a string or an object. */
    record Start(
            @Nullable JsonNode visitor,
            @Nullable JsonNode page,
            @PlainText(max = 64) @Nullable String workspace) {}

    record Started(String token, Instant expiresAt, UUID conversationId) {}

    @PostMapping("/init")
    Started init(@Valid @RequestBody(required = false) @Nullable Start start) {
        var given = start == null ? new Start(null, null, null) : start;
        String visitor = json.of("visitor", given.visitor(), true, MAX_LENGTH);
        String page = json.of("page", given.page(), true, MAX_LENGTH);
        Conversation conversation = conversations.begin(given.workspace(), visitor, page);
        VisitorTokens.Issued issued = tokens.issue(new VisitorTokens.Session(conversation.id()));
        return new Started(issued.token(), issued.expiresAt(), conversation.id());
    }

    record NewLead(
            @NotBlank(message = "is required") @PlainText(max = 254) @Email(message = "must be an e-mail address")
            String email,

            @PlainText(max = 200) @Nullable String name,
            @PlainText(max = 50) @Nullable String phone,
            @PlainText(max = 4000) @Nullable String note) {}

    @PostMapping("/leads")
    @ResponseStatus(HttpStatus.CREATED)
    Conversation.Lead addLead(@RequestAttribute VisitorTokens.Session caller, @Valid @RequestBody NewLead lead) {
        return conversations.addLead(caller, lead.email(), lead.name(), lead.phone(), lead.note());
    }

    record NewRating(
            @NotNull(message = "is required")
            @Min(value = 1, message = "must be from 1 to 5")
            @Max(value = 5, message = "must be from 1 to 5")
            Integer rating,

            @PlainText(max = 2000) @Nullable String comment) {}

    @RateLimit(permits = 60, window = "1m", key = "client-address", name = "satisfaction")
    @PostMapping("/satisfaction")
    @ResponseStatus(HttpStatus.CREATED)
    Conversation.Rating rate(
            @RequestAttribute Optional<VisitorTokens.Session> caller, @Valid @RequestBody NewRating rating) {
        return conversations.rate(caller.orElse(null), rating.rating(), rating.comment());
    }

    /** The conversation of a token records its last ping. */
    @RateLimit(permits = 600, window = "1m", key = "client-address", name = "typing")
    @PostMapping("/typing")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void typing(
            @RequestAttribute Optional<VisitorTokens.Session> caller,
            @RequestBody(required = false) @Nullable Map<String, Object> ignored) {
        caller.ifPresent(conversations::typing);
    }

    record WantedCoupon(
            @NotBlank(message = "is required") @PlainText(max = 64)
            String code) {}

    @RateLimit(permits = 120, window = "1m", key = "client-address", name = "coupon-apply")
    @PostMapping("/coupon/apply")
    Coupon apply(@RequestAttribute Optional<VisitorTokens.Session> caller, @Valid @RequestBody WantedCoupon wanted) {
        return coupons.apply(conversations.workspaceOf(caller.orElse(null)), wanted.code());
    }
}

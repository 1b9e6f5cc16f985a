package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiController;
import io.github.ratelimit.content.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/** Applies coupons. */
@ApiController
@RateLimit(permits = 120, window = "1m", key = "client-address", name = "coupon-apply")
@RequestMapping(WidgetConfiguration.ROOT + "/coupon/apply")
class CouponController {

    private final Conversations conversations;
    private final Coupons coupons;

    CouponController(Conversations conversations, Coupons coupons) {
        this.conversations = conversations;
        this.coupons = coupons;
    }

    /**
     * A coupon.
     *
     * @param code in any case
     */
    record Wanted(@PlainText(max = 64, required = true) String code) {}

    @PostMapping
    Discount apply(
            @RequestAttribute(name = VisitorSession.PROOF_ATTRIBUTE, required = false) @Nullable VisitorSession caller,
            @Valid @RequestBody Wanted wanted) {
        Conversation conversation = caller == null ? null : conversations.get(caller);
        return coupons.apply(
                wanted.code(),
                conversations.workspaceOf(conversation),
                conversation == null ? null : conversation.id());
    }
}

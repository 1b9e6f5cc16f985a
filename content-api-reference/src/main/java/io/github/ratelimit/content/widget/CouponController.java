package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
    private final Origins origins;

    CouponController(Conversations conversations, Coupons coupons, Origins origins) {
        this.conversations = conversations;
        this.coupons = coupons;
        this.origins = origins;
    }

    /**
     * A coupon.
     *
     * @param code in any case
     * @param workspace the site that grants it; where it is missing, that of the conversation, and without a token the oldest one
     */
    record WantedCoupon(
            @PlainText(max = 64, required = true) String code,
            @PlainText(max = 64) @Nullable String workspace) {}

    /** Applies a coupon. */
    @PostMapping
    @Refuses({404, 410})
    Discount applyCoupon(
            @RequestAttribute(name = VisitorSession.PROOF_ATTRIBUTE, required = false) @Nullable VisitorSession caller,
            @Valid @RequestBody WantedCoupon wanted,
            HttpServletRequest request,
            HttpServletResponse response) {
        Conversations.Place place = conversations.place(caller, wanted.workspace());
        origins.confine(place.workspace(), request, response);
        return conversations.leave(
                place.conversation(), () -> coupons.apply(wanted.code(), place.workspace(), place.conversation()));
    }
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import java.util.Optional;
import org.springframework.web.bind.annotation.PostMapping;
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

    record WantedCoupon(
            @PlainText(max = 64, required = true) String code) {}

    @PostMapping
    Coupon apply(Optional<VisitorSession> caller, @Valid @RequestBody WantedCoupon wanted) {
        return coupons.apply(conversations.workspaceOf(caller.orElse(null)), wanted.code());
    }
}

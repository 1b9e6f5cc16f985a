package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiController;
import io.github.ratelimit.content.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/** Applies coupons. */
@ApiController
@RateLimit(permits = 120, window = "1m", key = "client-address")
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
        return coupons.apply(
                wanted.code(), caller == null ? null : conversations.get(caller).id());
    }

    /** Any other method: here, and not left to Spring, so that the class's limit counts it too. */
    @RequestMapping
    void unknown(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(request.getMethod(), List.of("POST"));
    }
}

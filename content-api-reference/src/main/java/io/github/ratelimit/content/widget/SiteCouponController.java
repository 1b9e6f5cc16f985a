package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.Discount.Amount;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Moments;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A site manages the coupons that it grants. Part of the bulk-sync surface. */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping("/v1/cms")
class SiteCouponController {

    // What a path carries in one spelling, whatever stands before the server.
    private static final String CODE = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    private static final int MAX_PERCENT = 100;

    private final Coupons coupons;

    SiteCouponController(Coupons coupons) {
        this.coupons = coupons;
    }

    /**
     * A coupon.
     *
     * @param description for people
     * @param discount how much
     * @param expiresAt a moment with a zone; never, where it is missing
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record NewCoupon(
            @PlainText(max = 200, required = true) String description,
            @NotNull(message = "is required") @Valid NewAmount discount,
            @PlainText(max = 40) @Nullable String expiresAt) {}

    /**
     * How much.
     *
     * @param type {@code percent} or {@code amount}
     * @param value per cent, at most 100, or hundredths of the currency's unit
     * @param currency of an amount, three letters (ISO 4217)
     */
    record NewAmount(
            @Schema(allowableValues = {Amount.PERCENT, "amount"})
            @NotNull(message = "is required")
            @Pattern(regexp = "percent|amount", message = "must be 'percent' or 'amount'")
            String type,

            @Schema(minimum = "1") @NotNull(message = "is required")
            Integer value,

            @Pattern(regexp = "[A-Z]{3}", message = "must be three capital letters") @Nullable
            String currency) {}

    /** Shows the site's coupons, by code. */
    @GetMapping("/coupons")
    Listing<Coupon> coupons(WorkspaceToken caller, Slice slice) {
        return coupons.list(caller.workspaceId(), slice);
    }

    /** Shows a coupon. */
    @GetMapping("/coupons/{code}")
    Coupon coupon(
            WorkspaceToken caller, @Parameter(schema = @Schema(pattern = "^" + CODE + "$")) @PathVariable String code) {
        return coupons.find(caller.workspaceId(), known(code)).orElseThrow(SiteCouponController::noSuchCoupon);
    }

    /** Makes or replaces a coupon. */
    @PutMapping("/coupons/{code}")
    @ApiResponse(responseCode = "200", description = "It was replaced")
    @ApiResponse(responseCode = "201", description = "It was made")
    ResponseEntity<Coupon> putCoupon(
            WorkspaceToken caller,
            @Parameter(schema = @Schema(pattern = "^" + CODE + "$")) @PathVariable String code,
            @Valid @RequestBody NewCoupon wanted) {
        Map<String, String> problems = new TreeMap<>();
        if (!code.matches(CODE)) {
            problems.put("code", "must be 1 to 64 letters, digits, '.', '_' and '-'");
        }
        Instant end = Moments.read("expires_at", wanted.expiresAt(), problems);
        Amount discount = amount(wanted.discount(), problems);
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        Coupons.Put put = coupons.put(caller.workspaceId(), code, wanted.description(), discount, end);
        return ResponseEntity.status(put.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .body(put.coupon());
    }

    /** Deletes a coupon. */
    @DeleteMapping("/coupons/{code}")
    @Refuses(409)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteCoupon(
            WorkspaceToken caller, @Parameter(schema = @Schema(pattern = "^" + CODE + "$")) @PathVariable String code) {
        if (!coupons.delete(caller.workspaceId(), known(code))) {
            throw noSuchCoupon();
        }
    }

    /** Shows coupons that were applied, newest first. */
    @GetMapping("/coupon-applications")
    Listing<Discount> couponApplications(WorkspaceToken caller, Slice slice) {
        return coupons.applications(caller.workspaceId(), slice);
    }

    private static Amount amount(NewAmount wanted, Map<String, String> problems) {
        boolean percent = wanted.type().equals(Amount.PERCENT);
        if (wanted.value() < 1 || (percent && wanted.value() > MAX_PERCENT)) {
            problems.put("discount.value", percent ? "must be from 1 to 100" : "must be 1 or more");
        }
        if (percent && wanted.currency() != null) {
            problems.put("discount.currency", "belongs to an amount");
        }
        if (!percent && wanted.currency() == null) {
            problems.put("discount.currency", "is required");
        }
        return new Amount(wanted.type(), wanted.value(), wanted.currency());
    }

    /** No coupon has a code of another form, and some such codes no database can compare. */
    private static String known(String code) {
        if (!code.matches(CODE)) {
            throw noSuchCoupon();
        }
        return code;
    }

    private static ApiException noSuchCoupon() {
        return ApiException.notFound("The workspace has no such coupon.");
    }
}

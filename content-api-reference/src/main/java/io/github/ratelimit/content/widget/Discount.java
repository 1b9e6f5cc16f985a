package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What an applied coupon grants.
 *
 * @param id the application's id
 * @param code the coupon, in its stored spelling
 * @param description for people
 * @param discount how much
 * @param expiresAt when the coupon ends; null: never
 * @param appliedAt when it was applied
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Discount(
        UUID id,
        String code,
        String description,
        Amount discount,
        @Nullable Instant expiresAt,
        Instant appliedAt) {

    /**
     * How much.
     *
     * @param type {@code percent} or {@code amount}
     * @param value per cent, at most 100, or hundredths of the currency's unit
     * @param currency of an amount, three letters (ISO 4217)
     */
    record Amount(
            @Schema(allowableValues = {PERCENT, "amount"}) String type,
            @Schema(minimum = "1") int value,

            @Schema(pattern = "[A-Z]{3}") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String currency) {

        /** The type that is measured in per cent. */
        static final String PERCENT = "percent";
    }
}

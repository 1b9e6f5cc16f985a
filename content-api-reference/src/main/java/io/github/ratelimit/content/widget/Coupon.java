package io.github.ratelimit.content.widget;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A coupon that a site grants.
 *
 * @param code unique in the workspace, in capital letters
 * @param description for people
 * @param discount how much
 * @param expiresAt when it ends; null: never
 * @param createdAt when it was made
 * @param updatedAt when it last changed
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Coupon(
        String code,
        String description,
        Discount.Amount discount,
        @Nullable Instant expiresAt,
        Instant createdAt,
        Instant updatedAt) {}

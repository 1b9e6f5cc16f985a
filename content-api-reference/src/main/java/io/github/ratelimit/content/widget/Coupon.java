package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A coupon of a workspace.
 *
 * @param code unique in the workspace, in capital letters
 * @param description for people
 * @param discount its size
 * @param expiresAt when it ends; null: never
 */
record Coupon(
        String code,
        String description,
        Discount discount,
        @Nullable OffsetDateTime expiresAt) {

    /** A discount; the type {@code percent} is the only one. */
    record Discount(String type, int value) {}
}

package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The coupons of workspaces. Safe for concurrent use. */
@Repository
public class Coupons {
    private final InstantSource clock;
    private final JdbcClient jdbc;

    Coupons(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
    }

    /**
     * Finds a valid coupon; 404 if it is unknown, 410 if it has expired.
     *
     * @param workspace the site; null without one
     * @param code in any case, with white space around it
     */
    Coupon apply(@Nullable String workspace, String code) {
        Coupon coupon = jdbc.sql("select * from widget_coupon where workspace_id = :workspace and code = :code")
                .param("workspace", workspace)
                .param("code", key(code))
                .query((row, number) -> new Coupon(
                        row.getString("code"),
                        row.getString("description"),
                        new Coupon.Discount("percent", row.getInt("percent")),
                        row.getObject("expires_at", OffsetDateTime.class)))
                .optional()
                .orElseThrow(() -> ApiException.notFound("There is no such coupon."));
        if (coupon.expiresAt() != null
                && !clock.instant().isBefore(coupon.expiresAt().toInstant())) {
            throw ApiException.of(HttpStatus.GONE, "coupon_expired", "The coupon has expired.");
        }
        return coupon;
    }

    /**
     * Adds a coupon; an existing one stays as it is.
     *
     * @param workspace an existing workspace
     * @param code in any case
     * @param description for people
     * @param percent the discount, 1 to 100
     * @param expiresAt when it ends; null: never
     */
    public void grant(String workspace, String code, String description, int percent, @Nullable Instant expiresAt) {
        try {
            jdbc.sql("""
                            insert into widget_coupon (workspace_id, code, description, percent, expires_at)
                            values (:workspace, :code, :description, :percent, :expires)""")
                    .param("workspace", workspace)
                    .param("code", key(code))
                    .param("description", description)
                    .param("percent", percent)
                    .param("expires", expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC))
                    .update();
        } catch (DuplicateKeyException e) {
            return; // as at each start after the first
        }
    }

    private static String key(String code) {
        return code.strip().toUpperCase(Locale.ROOT);
    }
}

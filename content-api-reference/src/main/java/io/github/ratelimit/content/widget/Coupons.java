package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiException;
import io.github.ratelimit.content.widget.Discount.Amount;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Coupons, and who applied which when. Safe for concurrent use. */
@Repository
class Coupons {

    private final InstantSource clock;
    private final JdbcClient jdbc;

    Coupons(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
    }

    /**
     * Applies a coupon.
     *
     * @param code in any case, white space around it ignored
     * @param conversation where it is applied, where the caller proved one
     */
    Discount apply(String code, @Nullable UUID conversation) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var discount = jdbc.sql("select * from widget_coupon where code = :code")
                .param("code", code.strip().toUpperCase(Locale.ROOT))
                .query((row, number) -> {
                    OffsetDateTime end = row.getObject("expires_at", OffsetDateTime.class);
                    return new Discount(
                            UUID.randomUUID(),
                            row.getString("code"),
                            row.getString("description"),
                            new Amount(row.getString("discount_type"), row.getInt("amount"), row.getString("currency")),
                            end == null ? null : end.toInstant(),
                            now);
                })
                .optional()
                .orElseThrow(() -> ApiException.notFound("There is no such coupon."));
        if (discount.expiresAt() != null && !now.isBefore(discount.expiresAt())) {
            throw ApiException.of(HttpStatus.GONE, "coupon_expired", "The coupon has expired.");
        }
        jdbc.sql("""
                        insert into widget_coupon_application (id, code, conversation_id, applied_at)
                        values (:id, :code, :conversation, :applied)""")
                .param("id", discount.id())
                .param("code", discount.code())
                .param("conversation", conversation)
                .param("applied", now.atOffset(ZoneOffset.UTC))
                .update();
        return discount;
    }
}

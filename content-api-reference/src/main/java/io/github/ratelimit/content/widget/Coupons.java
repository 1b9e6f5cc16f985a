package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiException;
import io.github.ratelimit.content.api.Listing;
import io.github.ratelimit.content.api.Slice;
import io.github.ratelimit.content.widget.Discount.Amount;
import java.sql.ResultSet;
import java.sql.SQLException;
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
     * @param workspace the site where it is applied
     * @param conversation where it is applied, where the caller proved one
     */
    Discount apply(String code, @Nullable String workspace, @Nullable UUID conversation) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var discount = jdbc.sql("select * from widget_coupon where code = :code")
                .param("code", code.strip().toUpperCase(Locale.ROOT))
                .query((row, number) -> discount(row, UUID.randomUUID(), now))
                .optional()
                .orElseThrow(() -> ApiException.notFound("There is no such coupon."));
        if (discount.expiresAt() != null && !now.isBefore(discount.expiresAt())) {
            throw ApiException.of(HttpStatus.GONE, "coupon_expired", "The coupon has expired.");
        }
        jdbc.sql("""
                        insert into widget_coupon_application (id, code, workspace_id, conversation_id, applied_at)
                        values (:id, :code, :workspace, :conversation, :applied)""")
                .param("id", discount.id())
                .param("code", discount.code())
                .param("workspace", workspace)
                .param("conversation", conversation)
                .param("applied", now.atOffset(ZoneOffset.UTC))
                .update();
        return discount;
    }

    Listing<Discount> list(String workspace, Slice slice) {
        var applied = jdbc.sql("""
                        select a.id, a.applied_at, c.code, c.description, c.discount_type, c.amount, c.currency, c.expires_at
                        from widget_coupon_application a join widget_coupon c on c.code = a.code
                        where a.workspace_id = :workspace
                        order by a.applied_at desc, a.id offset :offset rows fetch next :limit rows only""")
                .param("workspace", workspace)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query((row, number) -> discount(
                        row,
                        row.getObject("id", UUID.class),
                        row.getObject("applied_at", OffsetDateTime.class).toInstant()))
                .list();
        long total = jdbc.sql("select count(*) from widget_coupon_application where workspace_id = :workspace")
                .param("workspace", workspace)
                .query(Long.class)
                .single();
        return slice.listing(applied, total);
    }

    private static Discount discount(ResultSet row, UUID id, Instant applied) throws SQLException {
        OffsetDateTime end = row.getObject("expires_at", OffsetDateTime.class);
        return new Discount(
                id,
                row.getString("code"),
                row.getString("description"),
                new Amount(row.getString("discount_type"), row.getInt("amount"), row.getString("currency")),
                end == null ? null : end.toInstant(),
                applied);
    }
}

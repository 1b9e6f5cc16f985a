package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.Discount.Amount;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The coupons of workspaces, and who applied which when. Safe for concurrent use. */
@Repository
public class Coupons {

    private static final String APPLIED = "workspace_coupon_application t where t.workspace_id = :owner";

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final Rows<Discount> applied;

    Coupons(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
        applied = new Rows<>(jdbc, "applied_at", Coupons::discount);
    }

    /**
     * Applies a coupon.
     *
     * @param code in any case, white space around it ignored
     * @param workspace the site where it is applied; null while there is none
     * @param conversation where it is applied, where the caller proved one
     */
    Discount apply(String code, @Nullable String workspace, @Nullable UUID conversation) {
        Coupon coupon = Optional.ofNullable(workspace)
                .flatMap(site -> find(site, key(code)))
                .orElseThrow(() -> ApiException.notFound("There is no such coupon."));
        Instant now = now();
        if (coupon.expiresAt() != null && !now.isBefore(coupon.expiresAt())) {
            throw ApiException.of(HttpStatus.GONE, "coupon_expired", "The coupon has expired.");
        }
        var discount = new Discount(
                UUID.randomUUID(), coupon.code(), coupon.description(), coupon.discount(), coupon.expiresAt(), now);
        described(jdbc.sql("""
                                insert into workspace_coupon_application (id, workspace_id, conversation_id, code,
                                    description, discount_type, amount, currency, expires_at, applied_at)
                                values (:id, :workspace, :conversation, :code,
                                    :description, :type, :amount, :currency, :expires, :now)"""), discount.description(), discount.discount(), discount.expiresAt())
                .param("id", discount.id())
                .param("workspace", workspace)
                .param("conversation", conversation)
                .param("code", discount.code())
                .param("now", now.atOffset(ZoneOffset.UTC))
                .update();
        return discount;
    }

    /** A stored coupon, and whether it is new. */
    record Put(Coupon coupon, boolean created) {}

    /**
     * Makes a coupon, or replaces the one of that code.
     *
     * @param workspace the site that grants it
     * @param code in any case
     * @param description for people
     * @param discount how much
     * @param expiresAt when it ends; null: never
     */
    Put put(String workspace, String code, String description, Amount discount, @Nullable Instant expiresAt) {
        Instant now = now();
        boolean created = false;
        if (!update(workspace, code, description, discount, expiresAt, now)) {
            try {
                insert(workspace, code, description, discount, expiresAt, now);
                created = true;
            } catch (DuplicateKeyException e) {
                // Another request made it at this moment; the later one counts, which is this.
                update(workspace, code, description, discount, expiresAt, now);
            }
        }
        // Deleted meanwhile: what was stored is still what the caller is told.
        Coupon stored = find(workspace, key(code))
                .orElseGet(() -> new Coupon(key(code), description, discount, expiresAt, now, now));
        return new Put(stored, created);
    }

    /**
     * Makes coupons of a workspace that is just being made.
     *
     * @param workspace the site that grants it
     * @param code capital letters and digits
     * @param description for people
     * @param percent how much, 1 to 100
     */
    public void grant(String workspace, String code, String description, int percent) {
        put(workspace, code, description, new Amount(Amount.PERCENT, percent, null), null);
    }

    private boolean update(
            String workspace,
            String code,
            String description,
            Amount discount,
            @Nullable Instant expiresAt,
            Instant now) {
        return described(jdbc.sql("""
                                        update workspace_coupon set description = :description, discount_type = :type,
                                            amount = :amount, currency = :currency, expires_at = :expires, updated_at = :now
                                        where workspace_id = :workspace and code = :code"""), description, discount, expiresAt)
                        .param("now", now.atOffset(ZoneOffset.UTC))
                        .param("workspace", workspace)
                        .param("code", key(code))
                        .update()
                > 0;
    }

    private void insert(
            String workspace,
            String code,
            String description,
            Amount discount,
            @Nullable Instant expiresAt,
            Instant now) {
        described(jdbc.sql("""
                                insert into workspace_coupon (workspace_id, code, description, discount_type, amount,
                                    currency, expires_at, created_at, updated_at)
                                values (:workspace, :code, :description, :type, :amount, :currency, :expires, :now, :now)"""), description, discount, expiresAt)
                .param("workspace", workspace)
                .param("code", key(code))
                .param("now", now.atOffset(ZoneOffset.UTC))
                .update();
    }

    private static JdbcClient.StatementSpec described(
            JdbcClient.StatementSpec statement, String description, Amount discount, @Nullable Instant expiresAt) {
        return statement
                .param("description", description)
                .param("type", discount.type())
                .param("amount", discount.value())
                .param("currency", discount.currency())
                .param("expires", expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC));
    }

    Optional<Coupon> find(String workspace, String code) {
        return jdbc.sql("select * from workspace_coupon where workspace_id = :workspace and code = :code")
                .param("workspace", workspace)
                .param("code", key(code))
                .query(Coupons::coupon)
                .optional();
    }

    /** Tells whether there was one. What was applied stays applied. */
    boolean delete(String workspace, String code) {
        return jdbc.sql("delete from workspace_coupon where workspace_id = :workspace and code = :code")
                        .param("workspace", workspace)
                        .param("code", key(code))
                        .update()
                > 0;
    }

    Listing<Coupon> list(String workspace, Slice slice) {
        var coupons = jdbc.sql("select * from workspace_coupon where workspace_id = :workspace"
                        + " order by code offset :offset rows fetch next :limit rows only")
                .param("workspace", workspace)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query(Coupons::coupon)
                .list();
        long total = jdbc.sql("select count(*) from workspace_coupon where workspace_id = :workspace")
                .param("workspace", workspace)
                .query(Long.class)
                .single();
        return slice.listing(coupons, total);
    }

    /** Lists coupons by code, from one that was seen. */
    List<Coupon> after(String workspace, String code, int most) {
        return jdbc.sql("select * from workspace_coupon where workspace_id = :workspace and code > :code"
                        + " order by code fetch first :most rows only")
                .param("workspace", workspace)
                .param("code", code)
                .param("most", most)
                .query(Coupons::coupon)
                .list();
    }

    Listing<Discount> applications(String workspace, Slice slice) {
        return applied.newest(APPLIED, workspace, slice);
    }

    /** Lists what was applied, from the oldest on. */
    List<Discount> applicationsAfter(String workspace, Position last, int most) {
        return applied.after(APPLIED, workspace, last, most);
    }

    private static String key(String code) {
        return code.strip().toUpperCase(Locale.ROOT);
    }

    private static Coupon coupon(ResultSet row, int number) throws SQLException {
        return new Coupon(
                row.getString("code"),
                row.getString("description"),
                amount(row),
                moment(row, "expires_at"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("updated_at", OffsetDateTime.class).toInstant());
    }

    private static Discount discount(ResultSet row, int number) throws SQLException {
        return new Discount(
                row.getObject("id", UUID.class),
                row.getString("code"),
                row.getString("description"),
                amount(row),
                moment(row, "expires_at"),
                row.getObject("applied_at", OffsetDateTime.class).toInstant());
    }

    private static Amount amount(ResultSet row) throws SQLException {
        return new Amount(row.getString("discount_type"), row.getInt("amount"), row.getString("currency"));
    }

    private static @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}

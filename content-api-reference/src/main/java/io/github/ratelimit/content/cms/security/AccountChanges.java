package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is to be different about an account: what is not set here stays, whoever else writes it meanwhile. Belongs to one thread. */
public final class AccountChanges {

    // In an order, so that the same columns make the same statement.
    private final Map<Column<?>, @Nullable Object> values = new TreeMap<>();

    /** Tells what an account is of which nothing is said but the login. */
    static AccountChanges ofNew(String login) {
        return new AccountChanges()
                .set(Account.ROLE, Role.SUBSCRIBER.wireName())
                .set(Account.DISPLAY_NAME, login)
                .set(Account.NICKNAME, login)
                .set(Account.URL, "");
    }

    /**
     * Sets a column.
     *
     * @param column which
     * @param value what it is to be; nothing only for no moment
     * @return this
     * @param <V> the values of the column
     */
    public <V> AccountChanges set(Column<V> column, @Nullable V value) {
        values.put(column, value);
        return this;
    }

    AccountChanges set(AccountChanges further) {
        values.putAll(further.values);
        return this;
    }

    /**
     * Tells what a column is to be.
     *
     * @param column which
     * @return empty where it stays, or is to be empty
     * @param <V> the values of the column
     */
    public <V> Optional<V> get(Column<V> column) {
        return Optional.ofNullable(column.cast(values.get(column)));
    }

    /**
     * Tells what the account is to be allowed.
     *
     * @return empty where that stays
     */
    public Optional<Role> role() {
        return get(Account.ROLE).flatMap(Role::of);
    }

    /** Changes a row. */
    Row of(Row row) {
        Row changed = row;
        for (Column<?> column : values.keySet()) {
            changed = with(changed, column);
        }
        return changed;
    }

    private <V> Row with(Row row, Column<V> column) {
        return row.with(column, column.cast(values.get(column)));
    }

    /** Spells the values as the database takes them. */
    Map<String, @Nullable Object> bound() {
        Map<String, @Nullable Object> bound = new LinkedHashMap<>();
        values.forEach((column, value) -> bound.put(column.name(), column.bound(value)));
        return bound;
    }
}

package io.github.ratelimit.content.cms.security;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What is to be different about an account: what is not set here stays, whoever else writes it meanwhile. Belongs to one thread. */
public final class AccountChanges {
    private final Map<AccountColumn, String> values = new EnumMap<>(AccountColumn.class);

    /** Tells what an account is of which nothing is said but the login: every other text is empty, and an address is none. */
    static AccountChanges ofNew(String login) {
        AccountChanges made = new AccountChanges();
        for (AccountColumn column : AccountColumn.values()) {
            if (column != AccountColumn.EMAIL) {
                made.set(column, "");
            }
        }
        return made.set(AccountColumn.ROLE, Role.SUBSCRIBER.wireName())
                .set(AccountColumn.DISPLAY_NAME, login)
                .set(AccountColumn.NICKNAME, login);
    }

    /**
     * Sets a column.
     *
     * @param column which
     * @param value what it is to be
     * @return this
     */
    public AccountChanges set(AccountColumn column, String value) {
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
     * @return empty where it stays
     */
    public Optional<String> get(AccountColumn column) {
        return Optional.ofNullable(values.get(column));
    }

    /**
     * Tells what the account is to be allowed.
     *
     * @return empty where that stays
     */
    public Optional<Role> role() {
        return get(AccountColumn.ROLE).flatMap(Role::of);
    }

    Map<AccountColumn, String> values() {
        return values;
    }
}

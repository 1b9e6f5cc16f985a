package io.github.ratelimit.content.cms.security;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What is to be different about an account: what is not set here stays, whoever else writes it meanwhile. Belongs to one thread. */
public final class AccountChanges {
    private final Map<AccountColumn, String> values = new EnumMap<>(AccountColumn.class);

    static AccountChanges all(Account account) {
        Account.Profile profile = account.profile();
        AccountChanges all = new AccountChanges()
                .set(AccountColumn.SLUG, account.slug())
                .set(AccountColumn.ROLE, account.role().wireName())
                .set(AccountColumn.DISPLAY_NAME, profile.displayName())
                .set(AccountColumn.FIRST_NAME, profile.firstName())
                .set(AccountColumn.LAST_NAME, profile.lastName())
                .set(AccountColumn.NICKNAME, profile.nickname())
                .set(AccountColumn.URL, profile.url())
                .set(AccountColumn.DESCRIPTION, profile.description())
                .set(AccountColumn.LOCALE, profile.locale());
        account.email().ifPresent(email -> all.set(AccountColumn.EMAIL, email));
        return all;
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

    /**
     * Tells what its owner will say.
     *
     * @param known what its owner says now
     * @return with the changes
     */
    public Account.Profile on(Account.Profile known) {
        return new Account.Profile(
                get(AccountColumn.DISPLAY_NAME).orElse(known.displayName()),
                get(AccountColumn.FIRST_NAME).orElse(known.firstName()),
                get(AccountColumn.LAST_NAME).orElse(known.lastName()),
                get(AccountColumn.NICKNAME).orElse(known.nickname()),
                get(AccountColumn.URL).orElse(known.url()),
                get(AccountColumn.DESCRIPTION).orElse(known.description()),
                get(AccountColumn.LOCALE).orElse(known.locale()));
    }

    Map<AccountColumn, String> values() {
        return values;
    }
}

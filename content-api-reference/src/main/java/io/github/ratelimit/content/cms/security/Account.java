package io.github.ratelimit.content.cms.security;

import java.time.Instant;
import java.util.Map;

/**
 * Somebody who may sign in, and what is known of them. Nothing in it is secret but the mail address, which only its owner and
 * those who manage accounts may see.
 *
 * @param id 1 or more
 * @param login the name to sign in with; never changes
 * @param registered when it was made
 * @param version grows with each write of the account, that of a password too
 * @param texts what its columns hold; one that holds nothing may be missing
 */
public record Account(long id, String login, Instant registered, long version, Map<AccountColumn, String> texts) {
    /** Copies the texts. */
    public Account {
        texts = Map.copyOf(texts);
    }

    /**
     * Tells what a column holds.
     *
     * @param column which
     * @return empty where it holds nothing
     */
    public String text(AccountColumn column) {
        return texts.getOrDefault(column, "");
    }

    /**
     * Tells the name that readers see.
     *
     * @return the name
     */
    public String name() {
        return text(AccountColumn.DISPLAY_NAME);
    }

    /**
     * Tells the name in addresses.
     *
     * @return unique among accounts
     */
    public String slug() {
        return text(AccountColumn.SLUG);
    }

    /**
     * Tells what the account is allowed to be.
     *
     * @return the least of all where its role no longer exists
     */
    public Role role() {
        return Role.of(text(AccountColumn.ROLE)).orElse(Role.SUBSCRIBER);
    }

    /**
     * Speaks for the account.
     *
     * @return the caller that it is
     */
    public Caller caller() {
        return Caller.account(id, login, role());
    }

    @Override
    public String toString() {
        return "account " + id;
    }
}

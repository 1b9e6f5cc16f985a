package io.github.ratelimit.content.cms.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Somebody who may sign in. Only its owner and those who manage accounts may see its email address.
 *
 * @param id 1 or more
 * @param login the name to sign in with; never changes
 * @param email empty if there is none
 * @param slug the name in addresses, unique among accounts
 * @param role what the account is allowed to be
 * @param name the name that readers see
 * @param registered when it was made, in whole seconds
 */
public record Account(long id, String login, String email, String slug, Role role, String name, Instant registered) {

    /** The columns that {@link #of} reads, of an account that a statement calls {@code a}. */
    static final String COLUMNS = "a.id, a.login, a.email, a.slug, a.role, a.display_name, a.registered_at";

    /** Reads the first columns of a row. */
    static Account of(ResultSet row, int number) throws SQLException {
        String email = row.getString(3);
        return new Account(
                row.getLong(1),
                row.getString(2),
                email == null ? "" : email,
                row.getString(4),
                Role.of(row.getString(5)).orElse(Role.SUBSCRIBER),
                row.getString(6),
                row.getObject(7, OffsetDateTime.class).toInstant());
    }

    /** Returns the caller that signs in as this account. */
    public Caller caller() {
        return new Caller(id, login, role);
    }

    @Override
    public String toString() {
        return "account " + id;
    }
}

package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Row;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Somebody who may sign in, and what is known of them. Nothing in it is secret but the mail address, which only its owner and
 * those who manage accounts may see.
 *
 * @param row all that is stored of it but the hash of its password, also what no code asks for by name
 */
public record Account(Row row) {
    /** The mail address. */
    public static final Column<String> EMAIL = Column.text("email", 600);
    /** The name in addresses. */
    public static final Column<String> SLUG = Column.text("slug", 200);
    /** What the account is allowed to be, by its {@link Role#wireName}. */
    public static final Column<String> ROLE = Column.text("role", 20);
    /** The name that readers see. */
    public static final Column<String> DISPLAY_NAME = Column.text("display_name", 500);
    /** As its owner says. */
    public static final Column<String> NICKNAME = Column.text("nickname", 500);
    /** Of its owner's site. */
    public static final Column<String> URL = Column.text("url", 2000);

    static final Column<Long> ID = Column.number("id");
    static final Column<String> LOGIN = Column.text("login", 60);
    static final Column<Instant> REGISTERED_AT = Column.moment("registered_at");
    /** The columns that have rules: no member is stored there as it is sent. */
    static final Set<String> OWN = Set.of(
            "id",
            "login",
            "login_key",
            "email_key",
            "slug",
            "role",
            "name_order",
            "url_order",
            "password_hash",
            "registered_at");

    /** Those that are read with every account, whatever its members are. */
    static final List<Column<?>> READ =
            List.of(ID, LOGIN, REGISTERED_AT, EMAIL, SLUG, ROLE, DISPLAY_NAME, NICKNAME, URL);

    /**
     * Tells its number.
     *
     * @return 1 or more
     */
    public long id() {
        return row.get(ID);
    }

    /**
     * Tells the name to sign in with.
     *
     * @return never changes
     */
    public String login() {
        return row.get(LOGIN);
    }

    /**
     * Tells when it was made.
     *
     * @return in whole seconds
     */
    public Instant registered() {
        return row.get(REGISTERED_AT);
    }

    /**
     * Tells the name that readers see.
     *
     * @return the name
     */
    public String name() {
        return row.get(DISPLAY_NAME);
    }

    /**
     * Tells the name in addresses.
     *
     * @return unique among accounts
     */
    public String slug() {
        return row.get(SLUG);
    }

    /**
     * Tells what the account is allowed to be.
     *
     * @return the least of all where its role no longer exists
     */
    public Role role() {
        return Role.of(row.get(ROLE)).orElse(Role.SUBSCRIBER);
    }

    /**
     * Speaks for the account.
     *
     * @return the caller that it is
     */
    public Caller caller() {
        return Caller.account(id(), login(), role());
    }

    @Override
    public String toString() {
        return "account " + id();
    }
}

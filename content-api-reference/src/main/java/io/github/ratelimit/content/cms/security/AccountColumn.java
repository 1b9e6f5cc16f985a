package io.github.ratelimit.content.cms.security;

import java.util.Locale;

/** The columns of an account that can be changed. */
public enum AccountColumn {
    /** The mail address. */
    EMAIL,
    /** The name in addresses. */
    SLUG,
    /** What the account is allowed to be, by its {@link Role#wireName}. */
    ROLE,
    /** The name that readers see. */
    DISPLAY_NAME,
    /** As its owner says. */
    FIRST_NAME,
    /** As its owner says. */
    LAST_NAME,
    /** As its owner says. */
    NICKNAME,
    /** Of its owner's site. */
    URL,
    /** What its owner says. */
    DESCRIPTION,
    /** The language that its owner prefers. */
    LOCALE;

    private final String sql = name().toLowerCase(Locale.ROOT);

    String sql() {
        return sql;
    }
}

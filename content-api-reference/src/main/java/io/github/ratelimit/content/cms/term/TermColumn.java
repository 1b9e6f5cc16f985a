package io.github.ratelimit.content.cms.term;

import java.util.Locale;

/** The texts that are stored of a term, by their columns. */
public enum TermColumn {
    /** The name in addresses. */
    SLUG,
    /** As people read it. */
    NAME,
    /** What it is about. */
    DESCRIPTION;

    private final String sql = name().toLowerCase(Locale.ROOT);

    String sql() {
        return sql;
    }
}

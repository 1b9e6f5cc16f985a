package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.shared.storage.SqlCondition;
import java.util.List;

/**
 * Which accounts a list holds.
 *
 * @param conditions that all are fulfilled; the account is {@code a}
 * @param order by what
 * @param descending the last first
 * @param offset how many to leave out
 * @param limit how many at most
 */
public record AccountQuery(List<SqlCondition> conditions, Order order, boolean descending, long offset, long limit) {

    /** Copies the list. */
    public AccountQuery {
        conditions = List.copyOf(conditions);
    }

    /**
     * Asks for all pages at once.
     *
     * @return the same, without a page
     */
    public AccountQuery whole() {
        return new AccountQuery(conditions, order, descending, 0, Long.MAX_VALUE);
    }

    /** What accounts are ordered by. */
    public enum Order {
        /** By id. */
        ID("a.id"),
        /** By the name that readers see. */
        NAME("a.name_order"),
        /** By the time they were made. */
        REGISTERED_DATE("a.registered_at"),
        /** By slug. */
        SLUG("a.slug"),
        /** By mail address. */
        EMAIL("a.email_key"),
        /** By the address of their site. */
        URL("a.url_order");

        private final String column;

        Order(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }
    }
}

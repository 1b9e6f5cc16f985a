package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.List;

/**
 * A page of a list of accounts.
 *
 * @param conditions all of which hold
 * @param order of the list
 * @param isDescending whether it begins with the greatest
 * @param offset how many accounts come before the page, 0 or more
 * @param limit how many the page has at most, 1 or more
 */
public record AccountQuery(List<SqlCondition> conditions, Order order, boolean isDescending, long offset, long limit) {

    /** Copies the conditions. */
    public AccountQuery {
        conditions = List.copyOf(conditions);
    }

    /** Selects the authors of published posts and pages. One look into an index for each: for "exists" PostgreSQL reads all items. */
    public static final String IS_PUBLIC_AUTHOR =
            "coalesce(" + firstPublished("post") + ", " + firstPublished("page") + ") is not null";

    private static String firstPublished(String type) {
        return "(select i.id from item i where i.kind = '" + type
                + "' and i.status = 'publish' and i.author_id = a.id fetch first 1 rows only)";
    }

    /** Orders of a list. */
    public enum Order {
        /** By number. */
        ID("a.id"),
        /** By name. */
        NAME("a.name_order");

        private final String column;

        Order(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }
    }
}

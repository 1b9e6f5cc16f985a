package io.github.ratelimit.content.cms.security;

import java.util.List;
import java.util.Optional;

/**
 * Which accounts a list holds; every empty list means "whichever".
 *
 * @param search a part of a name
 * @param searchesPrivate whether login names and mail addresses are searched too
 * @param include only these
 * @param exclude not these
 * @param slugs only those with one of these slugs
 * @param roles only those with one of these roles
 * @param among only these, where given
 * @param order by what
 * @param descending the last first
 * @param offset how many to leave out
 * @param limit how many at most
 */
public record AccountQuery(
        String search,
        boolean searchesPrivate,
        List<Long> include,
        List<Long> exclude,
        List<String> slugs,
        List<Role> roles,
        Optional<AuthoredContent.Authors> among,
        Order order,
        boolean descending,
        long offset,
        long limit) {

    /** Copies the lists. */
    public AccountQuery {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        slugs = List.copyOf(slugs);
        roles = List.copyOf(roles);
    }

    /**
     * Asks for all pages at once.
     *
     * @return the same, without a page
     */
    public AccountQuery whole() {
        return new AccountQuery(
                search, searchesPrivate, include, exclude, slugs, roles, among, order, descending, 0, Long.MAX_VALUE);
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

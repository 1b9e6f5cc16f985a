package io.github.ratelimit.content.security;

import java.util.Set;

/** What accounts wrote, as far as accounts need to know of it. Whoever keeps content provides it. */
public interface AuthoredContent {
    /**
     * Lists who is known to readers anyway: the authors of published items.
     *
     * @return ids of accounts
     */
    Set<Long> publicAuthors();

    /**
     * Tells whether readers know an account as the author of a published item.
     *
     * @param account an id
     * @return whether it is among {@link #publicAuthors}
     */
    boolean isPublicAuthor(long account);

    /**
     * Gives all items of an account to another one.
     *
     * @param from whose they are
     * @param to whose they will be
     */
    void handOver(long from, long to);

    /**
     * Deletes all items of an account for good.
     *
     * @param author whose they are
     */
    void deleteAllOf(long author);
}

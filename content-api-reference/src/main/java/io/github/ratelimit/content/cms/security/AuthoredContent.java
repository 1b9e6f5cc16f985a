package io.github.ratelimit.content.cms.security;

import java.util.Collection;
import java.util.Set;

/** What accounts wrote, as far as accounts need to know of it. Whoever keeps content provides it. */
public interface AuthoredContent {
    /**
     * Selects who is known to readers anyway: the authors of published items. A condition and no list, which could be as
     * long as that of all accounts.
     *
     * @return constant SQL on the column {@code a.id}
     */
    String publicAuthors();

    /**
     * Tells which of some accounts readers know as authors of published items.
     *
     * @param accounts ids
     * @return those among {@link #publicAuthors}
     */
    Set<Long> publicAuthorsAmong(Collection<Long> accounts);

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

package io.github.ratelimit.content.cms.security;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What accounts wrote, as far as accounts need to know of it. Whoever keeps content provides it. */
public interface AuthoredContent {
    /**
     * Selects who is known to readers anyway: the authors of published items.
     *
     * @return as a condition, and as a list as far as that is at hand
     */
    Authors publicAuthors();

    /**
     * Some accounts. A page of them is found by the condition, which asks about one account after the other until the page is full; all of them are
     * counted by the list.
     *
     * @param condition constant SQL on the column {@code a.id}
     * @param ids all of them; empty where finding them would take as long as asking about each account
     */
    record Authors(String condition, Optional<Set<Long>> ids) {
        /**
         * Joins two selections.
         *
         * @param others further accounts
         * @return those that are in one of them, or in both
         */
        public Authors or(Authors others) {
            return new Authors(
                    "(" + condition + " or " + others.condition + ")",
                    ids.flatMap(some -> others.ids.map(more -> {
                        Set<Long> all = new HashSet<>(some);
                        all.addAll(more);
                        return all;
                    })));
        }
    }

    /**
     * Says of a single account whether it is one of {@link #publicAuthors}.
     *
     * @return constant SQL on the column {@code a.id}
     */
    String isPublicAuthor();

    /**
     * Gives all items of an account to another one. Outside of a transaction some at a time: a repeat finishes what was begun.
     *
     * @param from whose they are
     * @param to whose they will be
     * @param before run in each transaction before anything is given; what it throws ends what is left
     */
    void handOver(long from, long to, Runnable before);

    /**
     * Deletes all items of an account for good. Outside of a transaction some at a time: a repeat finishes what was begun.
     *
     * @param author whose they are
     */
    void deleteAllOf(long author);
}
